import { describe, expect, test } from "vitest";
import { RandomStream } from "../../random/random-stream.ts";
import type { TokenSourceKind } from "../../scenario/lab-settings.ts";
import { EventQueue } from "./event-queue.ts";
import { Link } from "./network/link.ts";
import { ServiceLine } from "./network/service-line.ts";
import { Replication } from "./node/replication.ts";
import { SimulatedNode } from "./node/simulated-node.ts";
import { VirtualProcess } from "./process/virtual-process.ts";
import { TokenCounter } from "./token-counter.ts";
import { tokenSourceOf } from "./token-source.ts";
import { VirtualNode } from "./virtual-node.ts";

const NAMES = ["A", "B", "C", "D", "E"];

/** Five nodes whose counters stand at `counts`; `draw` gives a worker's token, which hears of `reached` only. */
function drawing(kind: TokenSourceKind, counts: readonly number[]) {
  const queue = new EventQueue();
  const random = RandomStream.fromSeed("1");
  const counter = new TokenCounter();
  const process = new VirtualProcess({ id: "W1", queue, random });
  const line = new ServiceLine({ queue, process, random });
  const nodes = NAMES.map((name, index) => {
    const server = new SimulatedNode({
      ...{ name, persistence: "none", record: () => undefined },
      nowMs: () => queue.nowMs,
    });
    server.execute({ kind: "raise-counter", resource: "orders", to: counts[index] ?? 0 });
    const replication = new Replication({ queue, random: random.fork(name), replicaCount: 0 });
    return new VirtualNode({
      ...{ name, server, replication, record: () => undefined },
      afterCommand: () => undefined,
      endsConnections: true,
    });
  });
  const draw = (reached: string): bigint | undefined => {
    let token: bigint | undefined;
    const links = nodes
      .filter(({ name }) => reached.includes(name))
      .map((node) => new Link({ queue, process, node, random: random.fork(node.name) }));
    tokenSourceOf(kind, { counter, line, links, quorum: 3 })("orders", (drawn) => {
      token = drawn;
    });
    const endMs = queue.nowMs + 100;
    while (queue.nextAtMs <= endMs) queue.step();
    queue.passTo(endMs);
    return token;
  };
  return { counter, draw };
}

describe("tokenSourceOf", () => {
  test("one counter outside the nodes grows whatever node is reached", () => {
    const { draw } = drawing("counter", [9, 5, 5, 5, 5]);
    expect([draw("ABC"), draw(""), draw("CDE")]).toEqual([1n, 2n, 3n]);
  });

  test("the highest number of a quorum is not monotone where nothing is written back", () => {
    const { draw } = drawing("node-counters", [9, 5, 5, 5, 5]);
    expect([draw("ABC"), draw("CDE")]).toEqual([10n, 7n]);
  });

  test("written back to a quorum it is", () => {
    const { draw } = drawing("raised-counters", [9, 5, 5, 5, 5]);
    expect([draw("ABC"), draw("CDE"), draw("ADE")]).toEqual([10n, 11n, 12n]);
  });

  test.each(["node-counters", "raised-counters"] as const)("%s need a quorum of nodes", (kind) => {
    expect(drawing(kind, []).draw("AB")).toBeUndefined();
  });
});

describe("TokenCounter", () => {
  test("a replica that has not heard of the last numbers hands them out again, and never one below 1", () => {
    const counter = new TokenCounter();
    const three = [counter.next("orders"), counter.next("orders"), counter.next("orders")];
    counter.rewind(1);
    const again = counter.next("orders");
    counter.rewind(100);

    expect([...three, again, counter.next("orders")]).toEqual([1n, 2n, 3n, 3n, 1n]);
  });
});

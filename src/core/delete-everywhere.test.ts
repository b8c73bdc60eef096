import { describe, expect, test } from "vitest";
import { FOREIGN, GRANTED, HELD } from "../ports/reply.ts";
import type { NodeReply } from "../ports/reply.ts";
import { undo } from "./delete-everywhere.ts";
import { Round } from "./round.ts";
import { rulesOf } from "./rules.fixture.ts";
import { BROKEN, type FateOf, PROMPT, VirtualWorld } from "./virtual-world.fixture.ts";

const TTL_MS = 1000;
const ACQUIRE = { kind: "acquire", resource: "orders", value: "v", ttlMs: TTL_MS } as const;
const NAMES = ["A", "B", "C"];
const SENT_NEVER: NodeReply = { kind: "unknown", cause: "away", mayHaveRun: false };
const LOST: NodeReply = { kind: "unknown", cause: "broken", mayHaveRun: true };

/** A lost attempt of three nodes is undone from 0 on. */
function undone(
  replies: readonly NodeReply[],
  { endsConnections = true, fateOf = () => PROMPT }: { endsConnections?: boolean; fateOf?: FateOf } = {},
) {
  const world = new VirtualWorld({ nodeCount: NAMES.length, fateOf });
  world.endsConnections = endsConnections;
  const acquired = new Round(NAMES, 0);
  replies.forEach((reply, nodeIndex) => acquired.settle(nodeIndex, reply, 0));
  let orphanCount: number | undefined;
  world.start(1, undo({ ...ACQUIRE, acquired }, rulesOf({ nodeNames: NAMES })), (result) => {
    ({ orphanCount } = result);
  });
  const sentTo = (index: number) =>
    world.sent.filter(({ nodeIndex }) => nodeIndex === index).map(({ command }) => command.kind);
  return { world, sentTo, orphanCount: () => orphanCount };
}

describe("undo", () => {
  test("where the connection broke under the acquire it is ended on the server, and then the value is deleted (S63)", () => {
    const { world, sentTo } = undone([LOST, GRANTED, GRANTED]);
    world.runUntil(20_000);
    expect(sentTo(0)).toEqual(["delete", "end-connection", "delete"]);
    expect(sentTo(1)).toEqual(["delete"]);
    expect(world.orphanCount).toBe(0);
  });

  test("what the server had run before the connection ended is found by the delete behind it", () => {
    const { world } = undone([LOST, GRANTED, GRANTED]);
    world.onSend = ({ command }) => {
      if (command.kind !== "end-connection") return;
      world.nodes[0]?.set("orders", { value: "v", expiresAtMs: 5000 });
    };
    world.runUntil(20_000);
    expect(world.nodes[0]?.size).toBe(0);
  });

  test("where the connection cannot be ended the delete is repeated until the key cannot come any more", () => {
    const { world, sentTo } = undone([LOST, GRANTED, GRANTED], { endsConnections: false });
    world.runUntil(50_000);
    const deletes = world.sent.filter(
      ({ nodeIndex, command }) => nodeIndex === 0 && command.kind === "delete",
    );
    expect(deletes.length).toBeGreaterThan(5);
    expect(sentTo(0).slice(1, 5)).toEqual(["end-connection", "delete", "end-connection", "delete"]);
    const giveUpAtMs = TTL_MS + rulesOf().longestDelayMs;
    const [lastAtMs = 0] = deletes.slice(-1).map(({ atMs }) => atMs);
    expect(lastAtMs).toBeLessThan(giveUpAtMs);
    expect(lastAtMs).toBeGreaterThan(giveUpAtMs - 2100);
  });

  test("an end that was not heard of is asked for again, and only once it is heard of the delete counts", () => {
    let ends = 0;
    const { world, sentTo } = undone([LOST, GRANTED, GRANTED], {
      fateOf: ({ command }) => (command.kind === "end-connection" && ++ends === 1 ? BROKEN : PROMPT),
    });
    world.runUntil(20_000);
    expect(sentTo(0)).toEqual(["delete", "end-connection", "delete", "end-connection", "delete"]);
  });

  test.each([
    ["never sent", SENT_NEVER],
    ["refused", HELD],
    ["refused", FOREIGN],
  ])("nothing waits for a node that was %s the acquire", (_what, reply) => {
    const { world } = undone([reply, LOST, GRANTED]);
    world.runUntil(0);
    expect(world.sent.map(({ untilMs }) => untilMs)).toEqual([0, 11_000, 11_000]);
  });
});

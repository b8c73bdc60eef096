import { describe, expect, test } from "vitest";
import { FakeNode } from "../fake-node.fixture.ts";
import type { NodeFacts, NodeReport } from "../ports/node-facts.ts";
import type { Finding } from "./finding.ts";
import { StartUpProbe } from "./start-up-probe.ts";

/** A node that tells what it is when the test lets it. */
class TellingNode extends FakeNode {
  readonly limitsMs: number[] = [];
  facts: Partial<NodeFacts> | "silent" = {};

  askFacts(limitMs: number): Promise<NodeReport> {
    this.limitsMs.push(limitMs);
    const { name: node, facts } = this;
    if (facts === "silent") return Promise.resolve({ kind: "unreached", node, cause: "no answer yet" });
    const nothing = { runId: node, mode: undefined, version: undefined, evictionPolicy: undefined };
    const master = {
      givenAs: "server",
      role: "master",
      persistence: undefined,
      clock: undefined,
      denied: [],
    } as const;
    return Promise.resolve({ kind: "told", node, facts: { ...nothing, ...master, ...facts } });
  }
}

function probeOf(differences: readonly TellingNode["facts"][], isAutomatic = true) {
  const nodes = differences.map((facts, index) => {
    const node = new TellingNode(String.fromCharCode(65 + index));
    node.facts = facts;
    return node;
  });
  const told: Finding[] = [];
  const clock = { atMs: 0, nowMs: () => clock.atMs };
  const tell = (finding: Finding) => told.push(finding);
  return {
    nodes,
    told,
    clock,
    probe: new StartUpProbe({ nodes, clock, isAutomatic, firstLimitMs: 50, tell }),
  };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));
const replica = { role: "replica" } as const;

describe("StartUpProbe", () => {
  test("the first use waits for what all nodes say, everybody for the same; then nobody waits or asks", async () => {
    const { probe, nodes } = probeOf([{}, {}, {}]);
    const first = probe.check();
    expect(probe.check()).toBe(first);
    await first;
    expect(probe.check()).toBeUndefined();
    expect(nodes.map(({ limitsMs }) => limitsMs)).toEqual([[50], [50], [50]]);
  });

  test("nodes that are no masters are refused, until they have been put right", async () => {
    const { probe, nodes, told, clock } = probeOf([{}, replica, {}]);
    await expect(probe.check()).rejects.toMatchObject({
      code: "misuse",
      message: expect.stringContaining("B is a replica") as string,
    });
    expect(() => probe.check()).toThrow("B is a replica");
    const [, second] = nodes;
    if (second !== undefined) second.facts = {};
    clock.atMs += 1000;
    expect(() => probe.check()).toThrow("B is a replica");
    await settled();
    expect(probe.check()).toBeUndefined();
    expect(told.map(({ code }) => code)).toEqual(["replica"]);
  });

  test("a node that was away is asked when it may be back, at most once a second, and nobody waits", async () => {
    const { probe, nodes, clock } = probeOf([{}, "silent", {}]);
    await probe.check();
    const [first, second] = nodes;
    expect(probe.check()).toBeUndefined();
    expect(second?.limitsMs).toHaveLength(1);
    clock.atMs += 1000;
    expect(probe.check()).toBeUndefined();
    expect(probe.check()).toBeUndefined();
    await settled();
    expect(second?.limitsMs).toEqual([50, 1000]);
    if (second !== undefined) second.facts = replica;
    clock.atMs += 1000;
    expect(probe.check()).toBeUndefined();
    await settled();
    expect(() => probe.check()).toThrow("B is a replica");
    expect(first?.limitsMs).toHaveLength(1);
  });

  test("each finding is told once; that a node is away is told by others", async () => {
    const { probe, told } = probeOf([{ evictionPolicy: "allkeys-lru" }, "silent"]);
    const findings = await probe.run(200);
    await probe.run(200);
    expect(findings.map(({ code }) => code)).toEqual(["even-count", "eviction", "unreached"]);
    expect(told.map(({ code }) => code)).toEqual(["even-count", "eviction"]);
  });

  test("switched off it asks nobody, unless it is told to, and then it refuses too", async () => {
    const { probe, nodes } = probeOf([replica, {}, {}], false);
    expect(probe.check()).toBeUndefined();
    expect(nodes[0]?.limitsMs).toEqual([]);
    await probe.run(300);
    expect(nodes[0]?.limitsMs).toEqual([300]);
    expect(() => probe.check()).toThrow("A is a replica");
  });

  test("nodes that cannot be asked are not waited for", () => {
    const nodes = [new FakeNode("A")];
    const clock = { nowMs: () => 0 };
    const probe = new StartUpProbe({
      nodes,
      clock,
      isAutomatic: true,
      firstLimitMs: 50,
      tell: () => undefined,
    });
    expect(probe.check()).toBeUndefined();
  });
});

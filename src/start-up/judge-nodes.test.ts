import { describe, expect, test } from "vitest";
import type { NodeFacts, NodeReport } from "../ports/node-facts.ts";
import { judgeNodes } from "./judge-nodes.ts";

const GOOD: NodeFacts = {
  givenAs: "server",
  runId: undefined,
  mode: "standalone",
  role: "master",
  version: "redis 7.0.15",
  evictionPolicy: "noeviction",
  persistence: "appendonly no",
  clock: { offsetMs: 1_000_000, uncertaintyMs: 1 },
  denied: [],
};

/** Nodes A, B, …, all well but for what is said of each. */
function reportsOf(...differences: readonly Partial<NodeFacts>[]): readonly NodeReport[] {
  return differences.map((difference, index) => {
    const node = String.fromCharCode(65 + index);
    return { kind: "told", node, facts: { ...GOOD, runId: `run-${node}`, ...difference } };
  });
}

const findingsOf = (...differences: readonly Partial<NodeFacts>[]) =>
  judgeNodes(reportsOf(...differences)).map(({ code, severity, nodes }) =>
    `${severity} ${code} ${nodes.join("+")}`.trim(),
  );

describe("judgeNodes", () => {
  test("finds nothing in an odd number of independent masters that are set up alike", () => {
    expect(judgeNodes(reportsOf({}, {}, {}))).toEqual([]);
    expect(judgeNodes(reportsOf({}))).toEqual([]);
  });

  test("refuses a replica, but not where the master is looked up", () => {
    expect(findingsOf({ role: "replica" }, {}, { role: "replica", givenAs: "socket" })).toEqual([
      "refusal replica A",
      "refusal replica C",
    ]);
    expect(findingsOf({ role: "replica", givenAs: "sentinel" })).toEqual([]);
    expect(findingsOf({ role: "replica", givenAs: "cluster", mode: "cluster" })).toEqual([]);
  });

  test("refuses one server under two addresses", () => {
    expect(findingsOf({ runId: "x" }, {}, { runId: "x" })).toEqual(["refusal same-server A+C"]);
    expect(findingsOf({ runId: undefined }, { runId: undefined }, {})).toEqual([]);
    expect(judgeNodes(reportsOf({ runId: "x" }, { runId: "x" }, { runId: "x" }))[0]?.message).toBe(
      "A and B and C are one server (run_id x) under several addresses: its vote would count 3 times",
    );
  });

  test("refuses a server of a Redis Cluster, unless the cluster is named as one node", () => {
    expect(findingsOf({ mode: "cluster" }, {}, {})).toEqual(["refusal cluster-server A"]);
    expect(findingsOf({ mode: "cluster", givenAs: "cluster" }, {}, {})).toEqual([]);
  });

  test("refuses a Sentinel", () => {
    expect(findingsOf({ mode: "sentinel", role: undefined }, {}, {})).toEqual(["refusal sentinel A"]);
  });

  test("warns of an even number, also while nobody is reached", () => {
    expect(judgeNodes(reportsOf({}, {}, {}, {}))).toEqual([
      {
        code: "even-count",
        severity: "warning",
        nodes: [],
        message: "4 nodes survive the failure of 1, and so do 3: take an odd number",
      },
    ]);
  });

  test("warns of eviction, and of settings that differ", () => {
    expect(
      findingsOf(
        { evictionPolicy: "allkeys-lru" },
        { evictionPolicy: "allkeys-lru" },
        { evictionPolicy: "allkeys-lru" },
      ),
    ).toEqual(["warning eviction A", "warning eviction B", "warning eviction C"]);
    expect(findingsOf({ version: "redis 6.2.0" }, {}, { persistence: "appendonly yes" })).toEqual([
      "warning different-settings A+B+C",
      "warning different-settings A+B+C",
    ]);
    expect(judgeNodes(reportsOf({ version: "redis 6.2.0" }, {}, {}))[0]?.message).toBe(
      "the nodes differ in version (A: redis 6.2.0; B, C: redis 7.0.15): what one survives another may not",
    );
    expect(findingsOf({ version: undefined }, {}, {})).toEqual([]);
  });

  test("warns of a clock that is far from the others, by more than the asking is unsure of (peers 73)", () => {
    const at = (offsetMs: number, uncertaintyMs = 1) => ({ clock: { offsetMs, uncertaintyMs } });
    expect(findingsOf(at(1_000_000), at(1_000_900), at(1_060_000))).toEqual(["warning clock-difference C"]);
    expect(findingsOf(at(1_000_000), at(1_000_000), at(940_000))).toEqual(["warning clock-difference C"]);
    expect(findingsOf(at(0), at(0), at(1000))).toEqual([]);
    expect(findingsOf(at(0), at(0), at(1400, 500))).toEqual([]);
    expect(findingsOf(at(0), at(0), at(1502, 500))).toEqual(["warning clock-difference C"]);
    expect(findingsOf({ clock: undefined }, { clock: undefined }, at(9_000_000))).toEqual([]);
    expect(judgeNodes(reportsOf(at(0), at(0), at(-61_000)))[0]?.message).toContain(
      "C is about 61 s behind the others",
    );
  });

  test("says once what is denied, for all nodes that deny it", () => {
    expect(
      judgeNodes(reportsOf({ denied: ["CONFIG"] }, { denied: ["CONFIG"] }, {})).map(({ message }) => message),
    ).toEqual(["A, B do not answer CONFIG to this user, so not all could be checked"]);
  });

  test("a node that could not be asked is no reason to refuse", () => {
    const reports = reportsOf({}, {});
    expect(judgeNodes([...reports, { kind: "unreached", node: "C", cause: "connect ECONNREFUSED" }])).toEqual(
      [
        {
          code: "unreached",
          severity: "warning",
          nodes: ["C"],
          message: "C could not be asked in time: connect ECONNREFUSED",
        },
      ],
    );
  });
});

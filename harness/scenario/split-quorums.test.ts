import { fc, test as property } from "@fast-check/vitest";
import { describe, expect, test } from "vitest";
import { faultTargets } from "../faults/fault.ts";
import { DEFAULT_SETTINGS } from "./lab-settings.ts";
import { majorityOf } from "./settings-rules.ts";
import { splitQuorums } from "./split-quorums.ts";

const split = (nodeCount: number, quorum: number) => splitQuorums({ ...DEFAULT_SETTINGS, nodeCount, quorum });
const drawnQuorum = fc
  .integer({ min: 1, max: 9 })
  .chain((nodeCount) =>
    fc.tuple(fc.constant(nodeCount), fc.integer({ min: majorityOf(nodeCount), max: nodeCount })),
  );

describe("splitQuorums", () => {
  test("three of five meet on C", () => {
    const { first, last, shared, cuts } = split(5, 3);

    expect({ first, last, shared }).toEqual({ first: ["A", "B", "C"], last: ["C", "D", "E"], shared: "C" });
    expect(cuts.map(([, fault]) => faultTargets(fault))).toEqual([
      { workers: ["W1"], nodes: ["D", "E"] },
      { workers: ["W2"], nodes: ["A", "B"] },
    ]);
  });

  test("four of five meet on B, C and D", () => {
    expect(split(5, 4)).toMatchObject({
      first: ["A", "B", "C", "D"],
      last: ["B", "C", "D", "E"],
      shared: "C",
    });
  });

  test("nobody is cut off where all nodes are needed", () => {
    expect(split(3, 3)).toMatchObject({
      first: ["A", "B", "C"],
      last: ["A", "B", "C"],
      shared: "B",
      cuts: [],
    });
  });

  property.prop([drawnQuorum])("both reach exactly a quorum, and the shared node", ([nodeCount, quorum]) => {
    const { first, last, shared } = split(nodeCount, quorum);

    expect([first.length, last.length]).toEqual([quorum, quorum]);
    expect(first).toContain(shared);
    expect(last).toContain(shared);
  });
});

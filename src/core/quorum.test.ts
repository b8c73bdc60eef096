import { fc, test } from "@fast-check/vitest";
import { describe, expect } from "vitest";
import { majorityOf, tally } from "./quorum.ts";

const nodeCounts = fc.integer({ min: 1, max: 9 });

describe("majorityOf", () => {
  test.prop([nodeCounts])("two majorities always share a node, and one less would not", (nodeCount) => {
    expect(2 * majorityOf(nodeCount)).toBeGreaterThan(nodeCount);
    expect(2 * (majorityOf(nodeCount) - 1)).toBeLessThanOrEqual(nodeCount);
  });
});

describe("tally", () => {
  const counts = nodeCounts.chain((nodeCount) =>
    fc
      .record({
        nodeCount: fc.constant(nodeCount),
        quorum: fc.integer({ min: majorityOf(nodeCount), max: nodeCount }),
        yes: fc.integer({ min: 0, max: nodeCount }),
        no: fc.integer({ min: 0, max: nodeCount }),
      })
      .filter(({ yes, no }) => yes + no <= nodeCount),
  );

  test.prop([counts])("it is decided exactly when the silent nodes cannot change the outcome", (count) => {
    const { nodeCount, quorum, yes, no } = count;
    const silent = nodeCount - yes - no;
    const wonIfAllRefuse = yes >= quorum;
    const wonIfAllGrant = yes + silent >= quorum;
    const expected = wonIfAllRefuse ? "won" : wonIfAllGrant ? "undecided" : "lost";
    expect(tally({ yes, silent, quorum })).toBe(expected);
  });

  test.prop([nodeCounts])("it never stays undecided once all have answered", (nodeCount) => {
    for (let yes = 0; yes <= nodeCount; yes++) {
      expect(tally({ yes, silent: 0, quorum: majorityOf(nodeCount) })).not.toBe("undecided");
    }
  });

  test("an even split loses instead of waiting (S22, peers 13)", () => {
    expect(tally({ yes: 2, silent: 0, quorum: majorityOf(4) })).toBe("lost");
  });
});

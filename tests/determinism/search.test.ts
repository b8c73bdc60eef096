/**
 * What the search is for. Goal: lift one assumption of the envelope, or bend one rule of the coordinator, and it is
 * found, shrunk and told; keep them all, and there is nothing to find. Method: the first schedules of fixed seeds.
 */
import { describe, expect, test } from "vitest";
import { type Allowance, ALLOWANCE_NAMES } from "../../harness/explore/allowance.ts";
import { type Counterexample, counterexampleFrom } from "../../harness/explore/counterexample.ts";
import { type DrawOptions, drawSchedule } from "../../harness/explore/draw-schedule.ts";
import { firstOutside } from "../../harness/explore/envelope.ts";
import { exploreBlock } from "../../harness/explore/explore-range.ts";
import type { FaultKind } from "../../harness/faults/fault.ts";

const SCHEDULES_MAX = 10_000;
const ENVELOPE_SCHEDULES = 1_000;
const SEEDS = ["1", "2", "kleppmann"] as const;
const DRAW: DrawOptions = { seed: "1", allow: [], faultsMax: 6, strategy: "redlock" };

/** The faults of which one has to be left when all that is not needed has been taken away. */
const CULPRITS: Readonly<Record<Allowance, readonly FaultKind[]>> = {
  "clock-jump": ["jump-clock"],
  drift: ["skew-clock"],
  suspend: ["suspend-worker"],
  "restart-empty": ["crash-node"],
  "power-loss": ["lose-power"],
  "fail-over": ["fail-over"],
  exchange: ["exchange-node"],
  eviction: ["evict-key"],
  flush: ["flush-node", "delete-key"],
};

function find(options: DrawOptions): Counterexample {
  const { failedIndex } = exploreBlock({ fromIndex: 0, toIndex: SCHEDULES_MAX }, options);
  if (failedIndex === undefined) throw new Error(`${SCHEDULES_MAX} schedules showed nothing`);
  const found = counterexampleFrom(drawSchedule(failedIndex, options), options.allow);
  if (found === undefined) throw new Error(`schedule ${failedIndex} showed something, and then nothing`);
  return found;
}

describe("the search", () => {
  describe.each(ALLOWANCE_NAMES)("with %s lifted", (allowance) => {
    test.each(SEEDS)("finds with seed %s what follows from it, with four faults at most", (seed) => {
      const allow = [allowance];
      const { plan, finding, isDeterministic, causes } = find({ ...DRAW, seed, allow });
      const kinds = plan.faults.map(({ fault }) => fault.kind);

      expect(finding.kind).toBe("unsafe");
      expect(isDeterministic).toBe(true);
      expect(plan.faults.length).toBeLessThanOrEqual(4);
      expect(firstOutside(plan, allow)).toBeUndefined();
      expect(CULPRITS[allowance].some((culprit) => kinds.includes(culprit))).toBe(true);
      expect(causes.at(-1)).toBe(finding.evidence.sentence);
    });
  });

  test.each(SEEDS)("finds nothing inside the envelope, with seed %s", (seed) => {
    const tally = exploreBlock({ fromIndex: 0, toIndex: ENVELOPE_SCHEDULES }, { ...DRAW, seed });

    expect(tally).toMatchObject({ scheduleCount: ENVELOPE_SCHEDULES, failedIndex: undefined });
    expect(tally.vacuousCount).toBeLessThan(ENVELOPE_SCHEDULES / 10);
  });

  test.each(["mutant:no-validity-check", "mutant:no-undo", "mutant:plain-del"])(
    "finds %s inside the envelope",
    (strategy) => {
      expect(find({ ...DRAW, strategy }).isDeterministic).toBe(true);
    },
  );
});

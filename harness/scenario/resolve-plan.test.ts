import { fc, test as property } from "@fast-check/vitest";
import { describe, expect, test } from "vitest";
import { UsageError } from "../lab-error.ts";
import { DEFAULT_SETTINGS, type LabSettings } from "./lab-settings.ts";
import { resolvePlan } from "./resolve-plan.ts";
import type { Story } from "./run-plan.ts";
import type { Scenario, Variant } from "./scenario.ts";
import { majorityOf } from "./settings-rules.ts";
import { at, planWorker } from "./story-parts.ts";

const story = (settings: LabSettings): Story => ({
  workers: [planWorker("W1", settings, { startWhen: at(0) })],
  faults: [],
  staging: [],
  demands: { contention: false, events: [] },
  limitMs: 5 * settings.ttlMs,
});
const plain: Variant = { name: "plain", summary: "As it is told.", expect: {} };
const raised: Variant = { ...plain, name: "quorum-4", settings: { quorum: 4 } };
const scenario: Scenario = {
  id: "S01",
  title: "A title",
  summary: "A summary.",
  story,
  variants: [plain, raised],
};

function planOf(overrides: Partial<LabSettings>, variant = plain, told: Partial<Scenario> = {}) {
  return resolvePlan({ scenario: { ...scenario, ...told }, variant, overrides, seed: "7" });
}

describe("resolvePlan", () => {
  test("takes the defaults where nobody says anything", () => {
    const plan = planOf({});

    expect(plan.settings).toEqual(DEFAULT_SETTINGS);
    expect(plan).toMatchObject({ version: 1, scenario: "S01", variant: "plain", seed: "7", limitMs: 5000 });
    expect(plan.nodes).toEqual(["A", "B", "C", "D", "E"]);
  });

  test("the command line wins over the variant, the variant over the scenario", () => {
    const told = { settings: { ttlMs: 2000, nodeTimeoutMs: 60, driftFactor: 0.02 } };
    const variant = { ...plain, settings: { ttlMs: 3000, nodeTimeoutMs: 70 } };

    expect(planOf({ ttlMs: 4000 }, variant, told).settings).toMatchObject({
      ttlMs: 4000,
      nodeTimeoutMs: 70,
      driftFactor: 0.02,
    });
  });

  test("tells the story for the settings that came out", () => {
    expect(planOf({ ttlMs: 4000 }).workers[0]?.ttlMs).toBe(4000);
  });

  test("a variant may tell the story another way", () => {
    const longer = (settings: LabSettings): Story => ({ ...story(settings), limitMs: 9 * settings.ttlMs });

    expect(planOf({}, { ...plain, story: longer }).limitMs).toBe(9000);
  });

  test("another number of nodes brings its majority", () => {
    expect(planOf({ nodeCount: 7 }).settings.quorum).toBe(4);
    expect(planOf({ nodeCount: 3 }).nodes).toEqual(["A", "B", "C"]);
  });

  test("a raised quorum stays raised when the number of nodes changes", () => {
    expect(planOf({ nodeCount: 7 }, raised).settings.quorum).toBe(5);
    expect(planOf({ nodeCount: 3 }, raised).settings.quorum).toBe(3);
    expect(planOf({ nodeCount: 1 }, raised).settings.quorum).toBe(1);
  });

  property.prop([fc.integer({ min: 1, max: 9 }), fc.constantFrom(plain, raised)])(
    "any number of nodes gets a quorum that works",
    (nodeCount, variant) => {
      const { quorum } = planOf({ nodeCount }, variant).settings;

      expect(quorum).toBeGreaterThanOrEqual(majorityOf(nodeCount));
      expect(quorum).toBeLessThanOrEqual(nodeCount);
    },
  );

  test.each([
    [{ quorum: 2 }, "A quorum of 2 of 5 nodes lets two workers win at once; at least 3 are needed."],
    [{ quorum: 6 }, "A quorum of 6 is more than there are nodes (5)."],
    [{ nodeCount: 0, quorum: 1 }, "The settings: nodeCount is wrong (too small: expected number to be >=1)."],
    [{ nodeCount: 10 }, "The settings: nodeCount is wrong (too big: expected number to be <=9)."],
    [{ ttlMs: 5 }, "The settings: ttlMs is wrong (too small: expected number to be >=10)."],
    [{ ttlMs: 100.5 }, "The settings: ttlMs is wrong (invalid input: expected int, received number)."],
    [{ nodeTimeoutMs: 0 }, "The settings: nodeTimeoutMs is wrong (too small: expected number to be >=1)."],
    [{ driftFactor: 0.6 }, "The settings: driftFactor is wrong (too big: expected number to be <=0.5)."],
    [
      { driftFactor: Number.NaN },
      "The settings: driftFactor is wrong (invalid input: expected number, received NaN).",
    ],
  ])("%j cannot work", (overrides, sentence) => {
    expect(() => planOf(overrides)).toThrow(new UsageError(sentence));
  });

  test("a story that cannot be told says why", () => {
    const told = {
      story: () => {
        throw new UsageError("S19 needs a node that may fail.");
      },
    };

    expect(() => planOf({}, plain, told)).toThrow(new UsageError("S19 needs a node that may fail."));
  });

  test("a story with a bug becomes one sentence", () => {
    const told = {
      story: () => {
        throw new TypeError("x is not a function");
      },
    };

    expect(() => planOf({}, plain, told)).toThrow(
      new UsageError("Scenario S01: its story failed: x is not a function"),
    );
  });

  test("a plan is plain JSON", () => {
    const plan = planOf({});

    expect(JSON.parse(JSON.stringify(plan))).toEqual(plan);
  });
});

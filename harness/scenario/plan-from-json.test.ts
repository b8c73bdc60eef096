import { describe, expect, test } from "vitest";
import { SCENARIOS } from "../../scenarios/index.ts";
import { planFromJson } from "./plan-from-json.ts";
import { resolvePlan } from "./resolve-plan.ts";

const plans = SCENARIOS.flatMap((scenario) =>
  scenario.variants.map((variant) => resolvePlan({ scenario, variant, overrides: {}, seed: "1" })),
);
const [plan] = plans;
const read = (change: object) => planFromJson({ ...plan, ...change }, "schedule.json");

describe("planFromJson", () => {
  test.each(plans.map((each) => [`${each.scenario} ${each.variant}`, each] as const))(
    "%s comes back as it was written",
    (_name, each) => {
      expect(planFromJson(JSON.parse(JSON.stringify(each)), "schedule.json")).toEqual(each);
    },
  );

  test("a field that older files do not have means what it meant then", () => {
    const { strategy: _strategy, settings, ...older } = plan!;
    const { replicaCount: _replicaCount, ...olderSettings } = settings;

    expect(planFromJson({ ...older, settings: olderSettings }, "schedule.json")).toEqual(plan);
  });

  test.each<[object, string]>([
    [
      { version: 2 },
      "schedule.json is no schedule: version is wrong (this version reads schedules of version 1).",
    ],
    [{ settings: { ttlMs: 0 } }, "schedule.json is no schedule: settings.ttlMs is wrong"],
    [{ nodes: ["A"] }, "schedule.json: its nodes are A, but its settings have A, B, C, D, E."],
    [{ workers: undefined }, "schedule.json: Scenario S01: its story: workers is wrong"],
    [
      {
        faults: [
          { id: "f", when: { kind: "at", atMs: 0 }, fault: { kind: "jump-clok", node: "A", byMs: 1 } },
        ],
      },
      "faults.0.fault.kind is wrong (there is no such kind; there are pause-worker, ",
    ],
    [{ colour: "red" }, "schedule.json: Scenario S01: its story"],
    [
      { settings: { quorum: 2 } },
      "schedule.json: A quorum of 2 of 5 nodes lets two workers win at once; at least 3 are needed.",
    ],
  ])("%j is refused in one sentence", (change, sentence) => {
    expect(() => read(change)).toThrow(sentence);
  });

  test.each([undefined, null, 3, "text", [], {}])("%j is no schedule", (json) => {
    expect(() => planFromJson(json, "x.json")).toThrow(/^x\.json is no schedule: /);
  });
});

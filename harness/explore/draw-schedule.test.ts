import { fc, test } from "@fast-check/vitest";
import { describe, expect } from "vitest";
import { planFromJson } from "../scenario/plan-from-json.ts";
import { unreachableNames } from "../scenario/reachable.ts";
import { type Allowance, ALLOWANCE_NAMES } from "./allowance.ts";
import { type DrawOptions, drawSchedule, PROBE } from "./draw-schedule.ts";
import { longestLifetimeMs } from "../scenario/longest-lifetime.ts";
import { firstOutside } from "./envelope.ts";

const DRAW: DrawOptions = { seed: "1", allow: [], faultsMax: 6, strategy: "redlock" };
const index = fc.nat({ max: 999_999_999 });
/** As the command line takes them. */
const seed = fc.stringMatching(/^[\w.-]{1,64}$/);
const allow = fc.subarray([...ALLOWANCE_NAMES]);

describe("drawSchedule", () => {
  test.prop([index, seed, allow])("depends on seed, index and what is lifted alone", (at, own, lifted) => {
    const options = { ...DRAW, seed: own, allow: lifted };
    const first = JSON.stringify(drawSchedule(at, options));
    drawSchedule(at + 1, options);

    expect(JSON.stringify(drawSchedule(at, options))).toBe(first);
  });

  test.prop([index, seed, allow])("breaks no assumption but those that are lifted", (at, own, lifted) => {
    const plan = drawSchedule(at, { ...DRAW, seed: own, allow: lifted });

    expect(firstOutside(plan, lifted)).toBeUndefined();
  });

  test.prop([index, seed, allow, fc.integer({ min: 0, max: 20 })])(
    "is a schedule as files hold it, with no more faults than asked for",
    (at, own, lifted, faultsMax) => {
      const plan = drawSchedule(at, { ...DRAW, seed: own, allow: lifted, faultsMax });

      expect(planFromJson(JSON.parse(JSON.stringify(plan)), "drawn")).toEqual(plan);
      expect(unreachableNames(plan)).toEqual([]);
      expect(plan.faults.length).toBeLessThanOrEqual(faultsMax);
    },
  );

  test.prop([index])("ends with a probe that comes when every lock has run out", (at) => {
    const plan = drawSchedule(at, DRAW);
    const probe = plan.workers.at(-1);

    expect(probe).toMatchObject({ id: PROBE, startWhen: { kind: "at" } });
    expect(probe?.waitMs).toBeGreaterThan(longestLifetimeMs(plan));
    expect(plan.workers.filter(({ id }) => id === PROBE)).toHaveLength(1);
  });

  test("a name stays short, however much is lifted", () => {
    const variant = (lifted: readonly Allowance[]): string =>
      drawSchedule(0, { ...DRAW, allow: lifted }).variant;

    expect(variant([])).toBe("envelope");
    expect(variant(["drift", "suspend"])).toBe("drift-suspend");
    expect(variant(ALLOWANCE_NAMES)).toBe("9-assumptions-lifted");
  });

  test("neighbours have different kinds of faults: a swarm", () => {
    const kinds = Array.from({ length: 60 }, (_, at) =>
      [...new Set(drawSchedule(at, DRAW).faults.map(({ fault }) => fault.kind))].toSorted().join(),
    );

    expect(new Set(kinds).size).toBeGreaterThan(30);
  });
});

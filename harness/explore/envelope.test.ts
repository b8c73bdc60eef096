import { describe, expect, test } from "vitest";
import type { Fault } from "../faults/fault.ts";
import type { LabSettings } from "../scenario/lab-settings.ts";
import type { RunPlan } from "../scenario/run-plan.ts";
import type { Allowance } from "./allowance.ts";
import { drawSchedule } from "./draw-schedule.ts";
import { firstOutside } from "./envelope.ts";

const TTL_MS = 1_000;

/** Workers that ask for a second, and these faults. */
function planWith(faults: readonly Fault[], settings: Partial<LabSettings> = {}): RunPlan {
  const drawn = drawSchedule(0, { seed: "1", allow: [], faultsMax: 0, strategy: "redlock" });
  return {
    ...drawn,
    settings: { ...drawn.settings, driftFactor: 0.01, persistence: "none", ...settings },
    workers: drawn.workers.map((worker) => ({ ...worker, ttlMs: TTL_MS, extendMs: 0 })),
    faults: faults.map((fault, at) => ({ id: `f${at}`, when: { kind: "at", atMs: 0 }, fault })),
  };
}

const crash = (downForMs?: number): Fault => ({
  kind: "crash-node",
  node: "A",
  ...(downForMs === undefined ? {} : { downForMs }),
});
const powerLoss = (downForMs: number): Fault => ({ kind: "lose-power", node: "A", downForMs });
const nodeAt = (rate: number): Fault => ({ kind: "skew-clock", node: "A", rate });
const workerAt = (rate: number): Fault => ({ kind: "skew-worker-clock", worker: "W1", rate });

/** The assumption that has to be lifted for a plan. */
function needed(plan: RunPlan): Allowance | undefined {
  if (firstOutside(plan, []) === undefined) return undefined;
  const all: readonly Allowance[] = ["clock-jump", "drift", "suspend", "restart-empty", "power-loss"];
  const more: readonly Allowance[] = ["fail-over", "exchange", "eviction", "flush"];
  const enough = [...all, ...more].filter((one) => firstOutside(plan, [one]) === undefined);
  expect(enough).toHaveLength(1);
  return enough[0];
}

describe("firstOutside", () => {
  test.each<readonly [string, Fault, Allowance]>([
    ["a clock that steps forward", { kind: "jump-clock", node: "A", byMs: 1 }, "clock-jump"],
    ["a clock that stands still unnoticed", { kind: "suspend-worker", worker: "W1", forMs: 1 }, "suspend"],
    ["a replica that takes over", { kind: "fail-over", node: "A" }, "fail-over"],
    ["another server", { kind: "exchange-node", node: "A" }, "exchange"],
    ["an evicted key", { kind: "evict-key", node: "A", resource: "orders" }, "eviction"],
    ["a node that somebody empties", { kind: "flush-node", node: "A" }, "flush"],
    ["a key that somebody deletes", { kind: "delete-key", node: "A", resource: "orders" }, "flush"],
  ])("%s is outside", (_what, fault, allowance) => {
    expect(needed(planWith([fault]))).toBe(allowance);
  });

  test("a suspension that workers notice is none", () => {
    const plan = planWith([{ kind: "suspend-worker", worker: "W1", forMs: 5000 }]);
    const noticing = { ...plan, settings: { ...plan.settings, noticesSuspension: true } };
    expect(firstOutside(noticing, [])).toBeUndefined();
  });

  test.each<readonly [string, Fault]>([
    ["a clock that steps back", { kind: "jump-clock", node: "A", byMs: -5_000 }],
    ["a worker that is paused for long", { kind: "pause-worker", worker: "W1", forMs: 60_000 }],
    ["a wall clock of a worker that steps", { kind: "jump-worker-clock", worker: "W1", byMs: 60_000 }],
    ["a worker that dies", { kind: "crash-worker", worker: "W1" }],
    ["scripts that are forgotten", { kind: "flush-scripts", node: "A" }],
  ])("%s is inside", (_what, fault) => {
    expect(needed(planWith([fault]))).toBeUndefined();
  });

  test("a node that forgets stays away for one lifetime, or for ever", () => {
    expect(needed(planWith([crash(TTL_MS)]))).toBeUndefined();
    expect(needed(planWith([crash()]))).toBeUndefined();
    expect(needed(planWith([crash(TTL_MS - 1)]))).toBe("restart-empty");
    expect(needed(planWith([powerLoss(TTL_MS - 1)]))).toBe("power-loss");
  });

  test("the longest lifetime counts, also one that an extension asks for", () => {
    const plan = planWith([crash(TTL_MS)]);
    const longer = plan.workers.map((worker, at) =>
      at === 0 ? { ...worker, extendMs: TTL_MS + 1 } : worker,
    );

    expect(needed({ ...plan, workers: longer })).toBe("restart-empty");
  });

  test("what a node has synced it does not forget", () => {
    expect(needed(planWith([crash(1)], { persistence: "aof-everysec" }))).toBeUndefined();
    expect(needed(planWith([powerLoss(1)], { persistence: "aof-everysec" }))).toBe("power-loss");
    expect(needed(planWith([powerLoss(1)], { persistence: "aof-always" }))).toBeUndefined();
  });

  test("a node may run faster than a holder by lifetime over validity, whoever is off", () => {
    // 1000 / (1000 - 12) is a little above 1.0121.
    expect(needed(planWith([nodeAt(1.012)]))).toBeUndefined();
    expect(needed(planWith([nodeAt(1.013)]))).toBe("drift");
    expect(needed(planWith([workerAt(0.989)]))).toBeUndefined();
    expect(needed(planWith([workerAt(0.987)]))).toBe("drift");
    expect(needed(planWith([nodeAt(1.008), workerAt(0.992)]))).toBe("drift");
    expect(needed(planWith([nodeAt(0.5), workerAt(2)]))).toBeUndefined();
  });
});

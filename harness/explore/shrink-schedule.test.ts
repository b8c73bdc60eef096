import { describe, expect, test } from "vitest";
import type { Fault, PlannedFault } from "../faults/fault.ts";
import type { RunPlan } from "../scenario/run-plan.ts";
import { drawSchedule, PROBE } from "./draw-schedule.ts";
import { firstOutside } from "./envelope.ts";
import { shrinkSchedule } from "./shrink-schedule.ts";

const STALL: Fault = { kind: "stall-node", node: "B", forMs: 1_337 };
const JUMP: Fault = { kind: "jump-clock", node: "D", byMs: 2_718 };
const CUT: Fault = {
  kind: "cut-link",
  workers: ["W1", "W2"],
  nodes: ["A", "B", "E"],
  how: "lose",
  forMs: 777,
};
const DRAWN = drawSchedule(0, { seed: "1", allow: [], faultsMax: 0, strategy: "redlock" });

/** Three workers and the probe on five nodes, with these faults at 123 ms. */
function planWith(...faults: readonly Fault[]): RunPlan {
  const [worker] = DRAWN.workers;
  if (worker === undefined) throw new Error("nobody was drawn");
  return {
    ...DRAWN,
    nodes: ["A", "B", "C", "D", "E"],
    settings: { ...DRAWN.settings, nodeCount: 5, quorum: 3 },
    workers: [
      ...["W1", "W2", "W3"].map((id) => ({ ...worker, id, acquireCount: 3, workMs: 421, idleMs: 17 })),
      ...DRAWN.workers.filter(({ id }) => id === PROBE),
    ],
    faults: faults.map((fault, at) => ({ id: `f${at}`, when: { kind: "at", atMs: 123 }, fault })),
  };
}

function shrunk(plan: RunPlan, fails: (plan: RunPlan) => boolean): RunPlan {
  return shrinkSchedule(plan, { allow: ["clock-jump"], fails, triesMax: 3_000 }).plan;
}

const faultOf = (plan: RunPlan, kind: Fault["kind"]): PlannedFault | undefined =>
  plan.faults.find(({ fault }) => fault.kind === kind);

describe("shrinkSchedule", () => {
  test("what is not needed goes: faults, nodes, workers, and what they do", () => {
    const plan = shrunk(
      planWith(STALL, JUMP, CUT),
      (smaller) => faultOf(smaller, "stall-node") !== undefined,
    );

    expect(plan.faults.map(({ fault }) => fault.kind)).toEqual(["stall-node"]);
    expect(plan.nodes).toEqual(["A", "B", "C"]);
    expect(plan.settings).toMatchObject({ nodeCount: 3, quorum: 2 });
    expect(plan.workers).toEqual([]);
  });

  test("times become round, as round as they may", () => {
    const fails = (smaller: RunPlan): boolean => {
      const jump = faultOf(smaller, "jump-clock");
      return jump?.fault.kind === "jump-clock" && jump.fault.byMs >= 2_600 && jump.when.kind === "at";
    };

    expect(shrunk(planWith(JUMP), fails).faults).toMatchObject([
      { when: { kind: "at", atMs: 0 }, fault: { byMs: 3_000 } },
    ]);
  });

  test("a link fault keeps only the links that matter", () => {
    const fails = (smaller: RunPlan): boolean => {
      const cut = faultOf(smaller, "cut-link")?.fault;
      return cut?.kind === "cut-link" && cut.workers.includes("W2") && smaller.workers.length === 4;
    };
    const cut = faultOf(shrunk(planWith(CUT), fails), "cut-link")?.fault;

    expect(cut).toMatchObject({ workers: ["W2"], nodes: [expect.any(String)] });
  });

  test("nodes that have gone are named nowhere", () => {
    const plan = shrunk(planWith(CUT, JUMP), (smaller) => smaller.faults.length === 2);

    expect(plan.nodes).toHaveLength(3);
    for (const { fault } of plan.faults) {
      const named = "nodes" in fault ? fault.nodes : "node" in fault ? [fault.node] : [];
      expect(plan.nodes).toEqual(expect.arrayContaining([...named]));
    }
  });

  test("no step lifts more than was allowed", () => {
    const tried: RunPlan[] = [];
    const crash: Fault = { kind: "crash-node", node: "A", downForMs: 1_234 };
    const plan = planWith(crash, STALL);
    shrunk({ ...plan, settings: { ...plan.settings, persistence: "none" } }, (smaller) => {
      tried.push(smaller);
      return faultOf(smaller, "crash-node") !== undefined;
    });

    expect(tried.length).toBeGreaterThan(5);
    for (const each of tried) expect(firstOutside(each, ["clock-jump"])).toBeUndefined();
  });

  test("it stops when it has tried often enough, with what it has", () => {
    const plan = planWith(STALL, JUMP, CUT);
    const { plan: left, triesCount } = shrinkSchedule(plan, {
      allow: ["clock-jump"],
      fails: () => true,
      triesMax: 2,
    });

    expect(triesCount).toBe(2);
    expect(left.faults).toHaveLength(1);
  });

  test("what only the whole shows stays whole", () => {
    const plan = planWith(STALL, JUMP);
    const whole = JSON.stringify(plan);

    expect(shrunk(plan, (smaller) => JSON.stringify(smaller) === whole)).toEqual(plan);
  });
});

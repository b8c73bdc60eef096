import { describe, expect, test } from "vitest";
import {
  applied,
  type At,
  down,
  failedAcquire,
  healed,
  historyOf,
  hold,
  keyDeleted,
  settled,
  up,
} from "../history/history.fixture.ts";
import type { Fault } from "../faults/fault.ts";
import type { RunPlan } from "../scenario/run-plan.ts";
import { tellCauses } from "./causes.ts";
import { drawSchedule, PROBE } from "./draw-schedule.ts";
import { judgeHistory } from "./judge-schedule.ts";

const DRAWN = drawSchedule(0, { seed: "1", allow: [], faultsMax: 0, strategy: "redlock" });

function planWith(fault: Fault): RunPlan {
  return { ...DRAWN, faults: [{ id: "f1", when: { kind: "at", atMs: 0 }, fault }] };
}

const judge = (events: readonly At[], plan: RunPlan = DRAWN) =>
  judgeHistory(historyOf([...events, ...settled(9_000)], { workers: ["W1", "W2", PROBE] }), plan);

const W1 = hold("W1/1", { at: 10, nodes: "ABC" });
/** C came back too early, without the key, and votes for W2. */
const FORGETS = [down(100, "C"), up(150, "C")];
const W2 = hold("W2/1", { at: 200, nodes: "CDE", release: 300 });

describe("judgeHistory", () => {
  test("two that believe at once come before everything else", () => {
    const { finding, isVacuous } = judge([...W1, ...FORGETS, ...W2]);

    expect(finding).toMatchObject({ kind: "unsafe", checker: "declared" });
    expect(isVacuous).toBe(false);
  });

  test("a rival that could have won is danger, although nobody came", () => {
    expect(judge([...W1, ...FORGETS]).finding).toMatchObject({ kind: "unsafe", checker: "danger" });
  });

  test("a hold in peace shows nothing, and says nothing", () => {
    const { finding, isVacuous } = judge(hold("W1/1", { at: 10, release: 100 }));

    expect(finding).toBeUndefined();
    expect(isVacuous).toBe(true);
  });

  test("a probe that comes when all is over and is granted nothing is late", () => {
    const probe = failedAcquire(`${PROBE}#1`, { at: 6_000, returned: 8_000, waitMs: 2_000 });

    expect(judge(probe).finding?.kind).toBe("late");
  });

  test("a probe that came while a fault was on is no sign of anything", () => {
    const probe = failedAcquire(`${PROBE}#1`, { at: 6_000, returned: 8_000, waitMs: 2_000, code: "aborted" });

    expect(judge(probe).finding).toMatchObject({ checker: "recovery" });
    expect(judge([...probe, applied(5_000, "f1", "A"), healed(7_000, "f1")]).finding).toBeUndefined();
  });

  test("that somebody deletes a key by hand is no finding where the schedule says so", () => {
    const events = [
      ...hold("W1/1", { at: 10, nodes: "ABCDE" }),
      keyDeleted(50, "A", "W1/1", { claim: null }),
    ];

    expect(judge(events).finding).toMatchObject({ kind: "unsafe", checker: "hygiene" });
    const byHand = planWith({ kind: "delete-key", node: "A", resource: "orders" });
    expect(judge(events, byHand).finding).toBeUndefined();
  });

  test("what took hold is counted, what did not is not", () => {
    const plan = planWith({ kind: "stall-node", node: "A", forMs: 10 });

    expect(judge([applied(5, "f1", "A")], plan).applied).toEqual([{ kind: "stall-node", isRelevant: false }]);
    expect(judge([], plan).applied).toEqual([]);
  });
});

describe("tellCauses", () => {
  test("who was granted, who forgot and why, who took it, and what came of it", () => {
    const { history, finding } = judge([...W1, ...FORGETS, ...W2]);
    if (finding === undefined) throw new Error("nothing was found");

    expect(tellCauses(history, finding)).toEqual([
      "W1 was granted orders by A, B and C at 10 and believed in it until 993",
      "C was killed at 100 with the key and came back without it at 150",
      "W2 was granted orders by C, D and E at 200 and believed in it until 300",
      finding.evidence.sentence,
    ]);
  });
});

import { describe, expect, test } from "vitest";
import { type At, applied, failedAcquire, historyOf, hold } from "../history/history.fixture.ts";
import { checkVacuity } from "./vacuity.ts";

const CONTENTION = { contention: true, events: [] };
const contentionOf = (...events: readonly At[]) => checkVacuity(historyOf(events), CONTENTION);

describe("checkVacuity", () => {
  test("a run of which nothing is demanded shows it", () => {
    expect(checkVacuity(historyOf([]), { contention: false, events: [] })).toEqual({ kind: "valid" });
  });

  test("demanded events must have occurred", () => {
    const history = historyOf([applied(5, "pause-w1", "", ["W1"])]);
    const pause = { kind: "fault-applied", fault: "pause-w1" } as const;
    const restart = { kind: "node-up", node: "C" } as const;
    const resume = { kind: "worker-resumed", worker: "W1" } as const;

    expect(checkVacuity(history, { contention: false, events: [pause] })).toEqual({ kind: "valid" });
    expect(checkVacuity(history, { contention: true, events: [pause, restart, resume] })).toEqual({
      kind: "unknown",
      reason: "the run never showed node-up C, worker-resumed W1 and two workers in contention",
    });
  });

  test("contention is an acquire that failed contended, or met a vote that somebody else holds", () => {
    expect(contentionOf(...failedAcquire("W1#1", { at: 0, returned: 5 }))).toEqual({ kind: "valid" });
    expect(
      contentionOf(...failedAcquire("W1#1", { at: 0, returned: 5, code: "unavailable", votes: "Ab" })),
    ).toEqual({ kind: "valid" });
  });

  test("contention is one resource held by two workers in turn", () => {
    expect(contentionOf(...hold("W1/1", { at: 5 }), ...hold("W2/1", { at: 2000 }))).toEqual({
      kind: "valid",
    });
  });

  test("an outage, or workers on resources of their own, are no contention", () => {
    expect(
      contentionOf(
        ...failedAcquire("W1#1", { at: 0, returned: 5, code: "unavailable", votes: "A" }),
        ...hold("W1/1", { at: 50 }),
        ...hold("W1/2", { at: 100 }),
        ...hold("W2/1", { at: 100, resource: "stock" }),
      ),
    ).toEqual({ kind: "unknown", reason: "the run never showed two workers in contention" });
  });
});

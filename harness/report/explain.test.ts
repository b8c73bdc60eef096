import { describe, expect, test } from "vitest";
import { explainRun } from "./explain.ts";
import type { RunResult } from "./run-result.ts";
import { checkerResults, invalid, runResult, s01Result, s14Result } from "./run-result.fixture.ts";

/** S14 with another way in which C lost W1's key between 50 and 120 ms. */
function withLoss(
  replace: (event: RunResult["events"][number]) => Partial<RunResult["events"][number]>,
): RunResult {
  const run = s14Result();
  const events = run.events.map((event) => ({ ...event, ...replace(event) })) as RunResult["events"];
  return { ...run, events };
}

const LOSS = { node: "C", resource: "orders", value: "v1" };

describe("explainRun", () => {
  test("two who believe: who, what, how long, and which node let it happen", () => {
    expect(explainRun(s14Result())).toBe(
      "W2 and W1 both believed they held orders from 135 ms to 988 ms: C forgot W1's key at 50 ms because it was killed and came back empty",
    );
  });

  test.each([
    ["a power loss", { cause: "power-loss" }, "it lost power before the key was on its disk"],
    ["a clock jump", { kind: "clock-jumped", node: "C", byMs: 2000 }, "its clock stepped by +2000 ms"],
    ["a flush", { ...LOSS, kind: "key-deleted", cause: "flushed" }, "it was emptied"],
    [
      "an eviction",
      { ...LOSS, kind: "key-deleted", cause: "evicted" },
      "it ran out of memory and evicted it",
    ],
    [
      "a delete by the rival",
      { ...LOSS, kind: "key-deleted", cause: "command", claimedValue: "v2" },
      "W2 deleted it",
    ],
    ["a delete by nobody known", { ...LOSS, kind: "key-deleted", cause: "command" }, "somebody deleted it"],
  ])("%s is named as the cause", (_name, loss, reason) => {
    const run = withLoss((event) => (event.kind === "node-down" ? (loss as object) : {}));

    expect(explainRun(run)).toContain(`C forgot W1's key at 50 ms because ${reason}`);
  });

  test("a stale write: who wrote, after whom, and why so late", () => {
    expect(explainRun(s01Result({ fenced: false }))).toBe(
      "orders accepted W1's stale write W1/1-1 at 1612 ms, after W2 had written at 1150 ms: W1 was paused from 10 ms to 1610 ms and wrote although its lock had ended at 988 ms",
    );
  });

  test("with fencing the refusal is told, with both tokens", () => {
    expect(explainRun(s01Result({ fenced: true }))).toMatch(
      /^W1 was still in its critical section of orders when W2 entered at 1106 ms .*, but orders refused W1's write W1\/1-1 at 1612 ms because its fencing token 33 is older than 34, with which W2 had written at 1150 ms$/,
    );
  });

  test("a pause before the critical section makes the late one come in on the other", () => {
    const run = s01Result({ fenced: true });
    const events = run.events
      .filter((event) => event.kind !== "write-judged" || event.worker === "W2")
      .map((event) =>
        event.kind === "section-entered" && event.worker === "W1" ? { ...event, atMs: 1611 } : event,
      )
      .toSorted((left, right) => left.atMs - right.atMs)
      .map((event, seq) => ({ ...event, seq }));
    const checkers = checkerResults({ actual: invalid("both inside", { fromMs: 1611, toMs: 1613 }) });

    expect(explainRun({ ...run, events, checkers })).toBe(
      "W1 entered the critical section of orders at 1611 ms while W2 was in it: W1 was paused from 10 ms to 1610 ms and its lock had ended at 988 ms",
    );
  });

  test("a refusal is worth telling even where nothing was violated", () => {
    const run = { ...s01Result({ fenced: true }), checkers: checkerResults() };

    expect(explainRun(run)).toMatch(/^orders refused W1's write/);
  });

  test("an unwanted violation comes before an expected one", () => {
    const run = s14Result();
    const hygiene = checkerResults({ hygiene: invalid("W2 deleted W1's key on A at 700 ms") });
    const checkers = run.checkers.map((result) =>
      result.checker === "hygiene" ? hygiene.find(({ checker }) => checker === "hygiene")! : result,
    );

    expect(explainRun({ ...run, checkers })).toBe("W2 deleted W1's key on A at 700 ms");
  });

  test("evidence that fits no story speaks for itself", () => {
    const checkers = checkerResults({ declared: invalid("W3/1 and W4/1 overlap") });

    expect(explainRun(runResult({ checkers }))).toBe("W3/1 and W4/1 overlap");
    expect(explainRun(runResult({ checkers, header: undefined }))).toBe("W3/1 and W4/1 overlap");
  });

  test("where nothing happened there is nothing to tell", () => {
    expect(explainRun(runResult())).toBeUndefined();
  });
});

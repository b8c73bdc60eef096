import { describe, expect, test } from "vitest";
import type { Backend } from "../backends/backend.ts";
import { unknown } from "../checkers/verdict.ts";
import { InterruptedError } from "../lab-error.ts";
import type { StagingCondition } from "../scenario/run-plan.ts";
import type { Expectations } from "../scenario/scenario.ts";
import type { Checkers } from "../checkers/checker.ts";
import { runOne, STAGINGS_MAX } from "./run-one.ts";
import { checkersThatSay, eventsOf, fakeBackend, grantedBy, invalid, planWith } from "./runner.fixture.ts";

const BY_ABC: StagingCondition = { kind: "granted-by", worker: "W1", nodes: ["A", "B", "C"] };
const WELL_STAGED = eventsOf(grantedBy("W1", "A", "B", "C"), { kind: "run-ended" });
const BADLY_STAGED = eventsOf(grantedBy("W1", "A", "B"), { kind: "run-ended" });
const WHY = "W1 was to be granted by A, B, C, but was granted by A, B.";

interface Told {
  readonly backend: Backend;
  readonly checkers?: Checkers;
  readonly expect?: Expectations;
  readonly signal?: AbortSignal;
}

async function run({ backend, checkers, expect: expected, signal }: Told) {
  const stagedAgain: string[] = [];
  const result = await runOne({
    plan: planWith([BY_ABC]),
    expect: expected ?? {},
    backend,
    checkers: checkers ?? checkersThatSay(),
    signal: signal ?? new AbortController().signal,
    onStagedAgain: (why) => stagedAgain.push(why),
  });
  return { result, stagedAgain };
}

describe("runOne, of a story that did not come about", () => {
  test("stages it again and records each staging", async () => {
    const backend = fakeBackend((_, count) => (count < STAGINGS_MAX ? BADLY_STAGED : WELL_STAGED));

    const { result, stagedAgain } = await run({ backend });

    expect(result).toMatchObject({
      outcome: "matched",
      stagings: [WHY, WHY, "The story came about."],
      durationMs: 30,
      events: WELL_STAGED,
    });
    expect(stagedAgain).toEqual([WHY, WHY]);
  });

  test("gives it up after three stagings", async () => {
    const backend = fakeBackend(() => BADLY_STAGED);

    const { result, stagedAgain } = await run({ backend });

    expect(backend.played).toHaveLength(3);
    expect(stagedAgain).toHaveLength(2);
    expect(result).toMatchObject({
      outcome: "inconclusive",
      reason: `The story did not come about in 3 stagings: ${WHY}`,
      stagings: [WHY, WHY, WHY],
      events: BADLY_STAGED,
    });
  });

  test("does not stage it again where it would come out the same", async () => {
    const backend = { ...fakeBackend(() => BADLY_STAGED), isDeterministic: true };

    const { result, stagedAgain } = await run({ backend });

    expect(stagedAgain).toEqual([]);
    expect(result).toMatchObject({
      outcome: "inconclusive",
      reason: `The story did not come about: ${WHY}`,
      digest: expect.stringMatching(/^[0-9a-f]{16}$/),
    });
  });

  test("stages it again although a call came late", async () => {
    const backend = fakeBackend(() => BADLY_STAGED);

    const { result } = await run({ backend, checkers: checkersThatSay({ settling: invalid("Late.") }) });

    expect(backend.played).toHaveLength(3);
    expect(result.outcome).toBe("inconclusive");
  });

  test("is final all the same when it broke what must hold", async () => {
    const backend = fakeBackend(() => BADLY_STAGED);

    const { result } = await run({
      backend,
      checkers: checkersThatSay({ declared: invalid("Both believed.") }),
    });

    expect(backend.played).toHaveLength(1);
    expect(result).toMatchObject({
      outcome: "violated",
      reason: "declared: Both believed.",
      stagings: [WHY],
    });
  });
});

describe("runOne, of a story that came about", () => {
  test.each([
    ["matched", checkersThatSay(), {}],
    ["violated", checkersThatSay({ declared: invalid("Both.") }), {}],
    ["late", checkersThatSay({ settling: invalid("Late.") }), {}],
    ["inconclusive", checkersThatSay({ vacuity: unknown("nothing happened") }), {}],
    ["not-reproduced", checkersThatSay(), { stale: "invalid" }],
  ] as const)("never retries a verdict: %s", async (outcome, checkers, expected) => {
    const backend = fakeBackend(() => WELL_STAGED);

    const { result } = await run({ backend, checkers, expect: expected });

    expect(backend.played).toHaveLength(1);
    expect(result.outcome).toBe(outcome);
  });

  test("half a run proves nothing", async () => {
    const controller = new AbortController();
    const backend = fakeBackend(() => {
      controller.abort();
      return BADLY_STAGED;
    });

    await expect(run({ backend, signal: controller.signal })).rejects.toThrow(InterruptedError);
    expect(backend.played).toHaveLength(1);
  });
});

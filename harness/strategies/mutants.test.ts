import { describe, expect, test } from "vitest";
import type { HistoryEvent, WorkerId } from "../history/event.ts";
import { STRATEGIES } from "./all-strategies.ts";
import { type Trial, tryStrategy, w1, w2 } from "./trial.fixture.ts";
import { TRIALS } from "./trials.fixture.ts";

/** W1 outlives its lock in some stories; nothing but the application can prevent that, whatever the lock is. */
const APPLICATIONS_OWN = ["actual", "stale"];

const SEEDS = ["1", "2", "3"];

const isGranted = (events: readonly HistoryEvent[], worker: WorkerId): boolean =>
  events.some((event) => event.kind === "acquire-granted" && event.worker === worker);

describe("the shipped coordinator keeps what each mutant breaks", () => {
  test.each(TRIALS)("$mutant: $story", ({ mutant, trial, breaks }) => {
    for (const seed of SEEDS) {
      const shipped = tryStrategy("redlock", { ...trial, seed }).broken;

      expect(shipped.filter((checker) => !APPLICATIONS_OWN.includes(checker))).toEqual([]);
      expect(tryStrategy(mutant, { ...trial, seed }).broken).toContain(breaks);
    }
  });

  test("mutant:endless-extend: W1's work hangs, and W2 waits (S32)", () => {
    const hanging: Trial = {
      workers: [w1({ renews: true, maxHoldMs: 1500, workMs: 9000 }), w2(100, { waitMs: 5000 })],
    };

    expect(isGranted(tryStrategy("redlock", hanging).events, "W2")).toBe(true);
    expect(isGranted(tryStrategy("mutant:endless-extend", hanging).events, "W2")).toBe(false);
  });

  test("no mutant is without its story", () => {
    const mutants = STRATEGIES.map(({ name }) => name).filter((name) => name.startsWith("mutant:"));

    expect([...TRIALS.map(({ mutant }) => mutant), "mutant:endless-extend"].toSorted()).toEqual(
      mutants.toSorted(),
    );
  });
});

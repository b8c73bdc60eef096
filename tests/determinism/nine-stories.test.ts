/** Every story in the virtual world: it shows what it is to show, and twice the same. */
import { describe, expect, test } from "vitest";
import { createSimulatedBackend } from "../../harness/backends/simulated/simulated-backend.ts";
import type { RunResult } from "../../harness/report/run-result.ts";
import { runLab } from "../../harness/runner/run-lab.ts";
import { SCENARIOS } from "../../scenarios/index.ts";

const FIXED_SEEDS = ["1", "2", "3", "4", "5", "6", "7", "8"];
const FRESH_SEEDS = Array.from({ length: 4 }, () => String(Math.floor(Math.random() * 2 ** 32)));

function playAll(seed: string): Promise<readonly RunResult[]> {
  return runLab({
    scenarios: SCENARIOS,
    named: true,
    variants: [],
    backend: createSimulatedBackend(),
    overrides: {},
    repeat: 1,
    concurrency: 1,
    seed,
    signal: new AbortController().signal,
    onProgress: () => undefined,
  });
}

const unmatched = (results: readonly RunResult[]): readonly string[] =>
  results
    .filter(({ outcome }) => outcome !== "matched")
    .map(({ replay, outcome, reason }) => `${replay}: ${outcome}: ${reason}`);

describe(`the nine stories in simulation, seeds ${[...FIXED_SEEDS, ...FRESH_SEEDS].join(", ")}`, () => {
  test.each([...FIXED_SEEDS, ...FRESH_SEEDS])("seed %s shows what is expected", async (seed) => {
    const results = await playAll(seed);

    expect(results).toHaveLength(23);
    expect(unmatched(results)).toEqual([]);
  });
});

/** Every mutant is caught by the stories that should catch it, and the shipped coordinator by none. */
import { fileURLToPath } from "node:url";
import { beforeAll, describe, expect, test } from "vitest";
import { createSimulatedBackend } from "../../harness/backends/simulated/simulated-backend.ts";
import { ALL_CHECKERS } from "../../harness/checkers/all-checkers.ts";
import { matrixMarkdown, type StrategyMatrix } from "../../harness/report/matrix-markdown.ts";
import { playMatrix } from "../../harness/runner/strategy-matrix.ts";
import { STRATEGIES } from "../../harness/strategies/all-strategies.ts";
import { SCENARIOS } from "../../scenarios/index.ts";

const REPORT = fileURLToPath(new URL("../../reports/strategy-matrix.md", import.meta.url));
const TRIED = STRATEGIES.filter(({ name }) => name === "redlock" || name.startsWith("mutant:"));
const MUTANTS = TRIED.map(({ name }) => name).filter((name) => name !== "redlock");
const MATRIX_LIMIT_MS = 300_000;

/** Where the catalogue of failures says that each of them shows. */
const CAUGHT_BY: Readonly<Record<string, readonly string[]>> = {
  "mutant:no-validity-check": ["S02", "S06"],
  "mutant:wall-clock": ["S12"],
  "mutant:start-after-quorum": ["S29"],
  "mutant:plain-del": ["S25"],
  "mutant:get-then-del": ["S26"],
  "mutant:no-undo": ["S23"],
  "mutant:undo-only-yes-votes": ["S55"],
  "mutant:undo-without-kill": ["S63"],
  "mutant:reused-token": ["S27"],
  "mutant:idempotent-without-refresh": ["S28"],
  "mutant:visible-quorum": ["S48"],
  "mutant:any-extend": ["S30"],
  "mutant:extend-without-compare": ["S31"],
  "mutant:drift-zero": ["S11"],
  "mutant:no-per-node-timeout": ["S20"],
  "mutant:vote-deadlock-on-even-n": ["S22"],
  "mutant:endless-extend": ["S32"],
  "mutant:resend-on-reconnect": ["S52"],
  "mutant:swap-while-believing": ["S64"],
  "mutant:undo-lost-renewal": ["S58"],
  "mutant:sweep-won-round": ["S59"],
  "mutant:shortening-extend": ["S60"],
  "mutant:re-seed-by-plain-set": ["S61"],
  "mutant:count-late-replies": ["S65"],
  "mutant:uptime-quarantine": ["S62"],
};

let matrix: StrategyMatrix;

const catchersOf = (mutant: string): readonly string[] =>
  matrix.cells
    .filter(({ strategy, standing }) => strategy === mutant && standing === "caught")
    .map(({ scenario }) => scenario);

beforeAll(async () => {
  matrix = await playMatrix({
    scenarios: SCENARIOS,
    strategies: TRIED,
    backend: createSimulatedBackend(),
    checkers: ALL_CHECKERS,
    seed: "1",
  });
}, MATRIX_LIMIT_MS);

describe("the matrix of stories and strategies", () => {
  test("no story catches the shipped coordinator", () => {
    expect(catchersOf("redlock")).toEqual([]);
  });

  test.each(MUTANTS)("%s is caught by the stories that should", (mutant) => {
    expect(catchersOf(mutant)).toEqual(expect.arrayContaining([...(CAUGHT_BY[mutant] ?? ["none is named"])]));
  });

  test("the report is up to date", async () => {
    await expect(matrixMarkdown(matrix)).toMatchFileSnapshot(REPORT);
  });
});

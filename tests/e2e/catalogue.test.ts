/** The main job on real input: every story that real servers can play, in all its variants, on real servers. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { whyNotOnLocal } from "../../harness/faults/local-capability.ts";
import { parseHistory } from "../../harness/history/jsonl.ts";
import { resolvePlan } from "../../harness/scenario/resolve-plan.ts";
import { SCENARIOS } from "../../scenarios/index.ts";
import { type LabProcess, startLab } from "./lab-process.fixture.ts";

const LIMIT_MS = 420_000;

let lab: LabProcess;
let exitCode = -1;

beforeAll(async () => {
  lab = startLab(["run", "--backend", "local"]);
  exitCode = await lab.ended;
}, LIMIT_MS);

afterAll(() => lab.remove());

const variants = SCENARIOS.flatMap((scenario) =>
  scenario.variants.map((variant) => ({
    folder: `${scenario.id}-${variant.name}-1`,
    whyNot: whyNotOnLocal(resolvePlan({ scenario, variant, overrides: {}, seed: "1" })),
  })),
);
const played = variants.filter(({ whyNot }) => whyNot === undefined).map(({ folder }) => folder);
const skipped = variants.filter(({ whyNot }) => whyNot !== undefined).map(({ folder }) => folder);

function resultOf(folder: string): unknown {
  return JSON.parse(readFileSync(join(lab.out, folder, "result.json"), "utf8"));
}

describe("redlock-lab run", () => {
  test("every variant of every story is what was expected", () => {
    expect(exitCode, lab.text()).toBe(0);
    expect(readdirSync(lab.out).toSorted()).toEqual(
      [...variants.map(({ folder }) => folder), "junit.xml", "result.json", "summary.md"].toSorted(),
    );
  });

  test.each(played)("%s leaves a result, a schedule and a whole history", (folder) => {
    expect(resultOf(folder)).toMatchObject({ outcome: "matched", backend: "local" });
    expect(existsSync(join(lab.out, folder, "schedule.json"))).toBe(true);
    const parsed = parseHistory(readFileSync(join(lab.out, folder, "history.jsonl"), "utf8"));
    expect(JSON.stringify(parsed).length).toBeGreaterThan(1000);
  });

  test.each(skipped)("%s is passed over, with the reason", (folder) => {
    expect(resultOf(folder)).toMatchObject({
      outcome: "skipped",
      reason: expect.stringContaining("it needs"),
    });
  });
});

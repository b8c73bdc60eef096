/** The main job on real input: all nine stories, in all their variants, on real servers. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { parseHistory } from "../../harness/history/jsonl.ts";
import { SCENARIOS } from "../../scenarios/index.ts";
import { type LabProcess, startLab } from "./lab-process.fixture.ts";

const LIMIT_MS = 180_000;

let lab: LabProcess;
let exitCode = -1;

beforeAll(async () => {
  lab = startLab(["run", "--backend", "local"]);
  exitCode = await lab.ended;
}, LIMIT_MS);

afterAll(() => lab.remove());

const runFolders = SCENARIOS.flatMap(({ id, variants }) => variants.map(({ name }) => `${id}-${name}-1`));

describe("redlock-lab run", () => {
  test("every variant of every story is what was expected", () => {
    expect(exitCode, lab.text()).toBe(0);
    expect(readdirSync(lab.out).toSorted()).toEqual(
      [...runFolders, "junit.xml", "result.json", "summary.md"].toSorted(),
    );
  });

  test.each(runFolders)("%s leaves a result, a schedule and a whole history", (folder) => {
    const path = join(lab.out, folder);
    const result: unknown = JSON.parse(readFileSync(join(path, "result.json"), "utf8"));
    expect(result).toMatchObject({ outcome: "matched", backend: "local" });
    expect(existsSync(join(path, "schedule.json"))).toBe(true);
    const parsed = parseHistory(readFileSync(join(path, "history.jsonl"), "utf8"));
    expect(JSON.stringify(parsed).length).toBeGreaterThan(1000);
  });
});

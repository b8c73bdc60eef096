/** `redlock-lab check` and `export`: what was recorded is judged again, and a broken file is one sentence. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { extended, historyOf, hold, section, settled } from "../../harness/history/history.fixture.ts";
import { formatHistory } from "../../harness/history/jsonl.ts";
import { redlockLab } from "./redlock-lab.fixture.ts";

let cwd = "";

beforeAll(async () => {
  cwd = mkdtempSync(join(tmpdir(), "redlock-lab-check-"));
  await redlockLab(["run", "S14", "--out", "recorded"], { cwd });
  const bad = readFileSync(join(cwd, "recorded", "S14-plain-1", "history.jsonl"));
  writeFileSync(join(cwd, "bad.jsonl"), bad);
  writeFileSync(join(cwd, "good.jsonl"), goodHistory());
  writeFileSync(
    join(cwd, "cut.jsonl"),
    goodHistory().replace('"kind":"acquire-granted"', '"kind":"acquired"'),
  );
});
afterAll(() => rmSync(cwd, { recursive: true, force: true }));

/** As a service of one's own would write it: it knows nothing of nodes. */
function goodHistory(): string {
  const { header, events } = historyOf([
    ...hold("W1/1", { at: 5, release: 100, nodes: "ABC" }),
    ...extended("W1/1", { at: 50, granted: 54, deadline: 1040 }),
    ...section("W1/1", 6, 99),
    ...hold("W2/1", { at: 150, release: 300, nodes: "CDE" }),
    ...section("W2/1", 151, 299),
    ...settled(400),
  ]);
  const own = events.filter(({ kind }) => !kind.startsWith("key-"));
  return formatHistory({ header, events: own.map((event, seq) => ({ ...event, seq })) });
}

const check = (...argv: readonly string[]) => redlockLab(["check", ...argv], { cwd });

describe("redlock-lab check", () => {
  test("the folder of a run: judged by what was expected of it", async () => {
    const { exitCode, out } = await check(
      join("recorded", "S14-plain-1"),
      join("recorded", "S14-quorum-4-1"),
    );

    expect(exitCode).toBe(0);
    expect(out).toContain("both believed they held orders");
    expect(out).toMatch(/S14 +quorum-4 +1 of 1/);
  });

  test("a history by itself: every violation counts", async () => {
    const { exitCode, out } = await check("bad.jsonl");

    expect(exitCode).toBe(1);
    expect(out).toContain("redlock-lab check bad.jsonl\nviolated: declared: ");
  });

  test("without what happened on the nodes some questions have no answer, and that is no pass", async () => {
    const { exitCode, out } = await check("good.jsonl", "--json");
    const { runs } = JSON.parse(out) as { runs: readonly [{ checkers: readonly Said[] }] };
    const unknown = runs[0].checkers.filter(({ verdict }) => verdict.kind === "unknown");

    expect(exitCode).toBe(2);
    expect(unknown.map(({ checker }) => checker)).toEqual(["danger", "hygiene"]);
  });

  test("--only demands what the history can show", async () => {
    const own = await check("good.jsonl", "--only", "declared,actual,stale", "--only", "settling");

    expect(own.exitCode).toBe(0);
    expect(await check("bad.jsonl", "--only", "settling")).toMatchObject({ exitCode: 0 });
    expect(await check("bad.jsonl", "--only", "settling,danger")).toMatchObject({ exitCode: 1 });
  });

  test.each([
    ["nowhere.jsonl", "There is no file nowhere.jsonl."],
    ["recorded", "recorded holds no history.jsonl; give the folder of a run, or the file itself."],
    [join("recorded", "summary.md"), "line 1: not JSON: "],
    ["cut.jsonl", 'cut.jsonl, line 3: unknown kind "acquired".'],
  ])("%s is one sentence and exit code 64", async (file, sentence) => {
    const { exitCode, out, err } = await check("good.jsonl", file);

    expect({ exitCode, out }).toEqual({ exitCode: 64, out: "" });
    expect(err).toContain(sentence);
    expect(err.trim().split("\n")).toHaveLength(1);
  });

  test("a checker that is none", async () => {
    const { exitCode, err } = await check("good.jsonl", "--only", "danger,luck");

    expect(exitCode).toBe(64);
    expect(err).toContain("The checkers are declared, actual, danger");
  });
});

interface Said {
  readonly checker: string;
  readonly verdict: { readonly kind: string };
}

describe("redlock-lab export", () => {
  test("writes to standard output, or to a file", async () => {
    const { out } = await redlockLab(["export", "good.jsonl", "--format", "porcupine"], { cwd });
    const edn = await redlockLab(["export", "good.jsonl", "--format", "edn", "--out", "good.edn"], { cwd });

    expect(out.split("\n")).toHaveLength(5);
    expect(edn).toMatchObject({ exitCode: 0, out: "" });
    expect(readFileSync(join(cwd, "good.edn"), "utf8")).toMatch(/^\{:index 0, :time 0, :type :invoke/);
  });

  test.each([
    [["good.jsonl"], "required option '--format <name>' not specified"],
    [["good.jsonl", "--format", "xml"], "Allowed choices are edn, porcupine."],
    [["good.jsonl", "--format", "edn", "--out", "no/where"], "no/where cannot be written"],
  ])("%j is one sentence and exit code 64", async (argv, sentence) => {
    const { exitCode, err } = await redlockLab(["export", ...argv], { cwd });

    expect(exitCode).toBe(64);
    expect(err).toContain(sentence);
  });
});

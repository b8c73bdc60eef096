/** `redlock-lab explore` and `merge`: the same answer from any number of threads and machines, and what it finds. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { redlockLab } from "./redlock-lab.fixture.ts";

let cwd = "";

beforeAll(() => {
  cwd = mkdtempSync(join(tmpdir(), "redlock-lab-explore-"));
});
afterAll(() => rmSync(cwd, { recursive: true, force: true }));

/** Runs it and reads its report; folders are named by the test. */
async function explore(out: string, ...argv: readonly string[]) {
  const ended = await redlockLab(["explore", ...argv, "--out", out, "--json"], { cwd });
  const report: unknown = JSON.parse(ended.out);
  expect(JSON.parse(readFileSync(join(cwd, out, "explore.json"), "utf8"))).toEqual(report);
  return { ...ended, report: report as Record<string, unknown> };
}

const answerOf = ({ tally, found }: Record<string, unknown>) => ({ tally, found: withoutPaths(found) });

/** The command that repeats it names the folder. */
function withoutPaths(found: unknown): unknown {
  return found === null ? null : { ...(found as object), replay: undefined };
}

describe("redlock-lab explore", () => {
  test("finds nothing inside the envelope, whatever the number of threads", async () => {
    const one = await explore("one", "--schedules", "450", "--threads", "1");
    const three = await explore("three", "--schedules", "450", "--threads", "3");

    expect([one.exitCode, three.exitCode], one.err).toEqual([0, 0]);
    expect(one.report).toMatchObject({ tally: { scheduleCount: 450 }, found: null });
    expect(answerOf(three.report)).toEqual(answerOf(one.report));
  });

  test("with an assumption lifted it finds a counterexample, shrinks it, and it replays", async () => {
    const argv = ["--allow", "clock-jump", "--schedules", "10000"];
    const one = await explore("jump", ...argv, "--threads", "1");
    const two = await explore("jump-two", ...argv, "--threads", "2");

    expect([one.exitCode, two.exitCode]).toEqual([1, 1]);
    expect(one.report).toMatchObject({ found: { kind: "unsafe", isDeterministic: true } });
    expect(answerOf(two.report)).toEqual(answerOf(one.report));
    const { faults, replay, digest } = one.report["found"] as {
      faults: { after: number };
      replay: string;
      digest: string;
    };
    expect(faults.after).toBeLessThanOrEqual(3);

    const words = replay.split(" ").slice(1);
    const again = await redlockLab([...words, "--out", "jump-again"], { cwd });
    expect(again.exitCode).toBe(1);
    expect(again.out).toContain(digest);
  });

  test("shards of an exploration are joined to what one machine would have found", async () => {
    const argv = ["--schedules", "750", "--seed", "shards"];
    const whole = await explore("whole", ...argv);
    await explore("part-1", ...argv, "--shard", "1/2");
    await explore("part-2", ...argv, "--shard", "2/2");
    const merged = await redlockLab(["merge", "part-1", "part-2", "--out", "merged", "--json"], { cwd });

    expect(merged.exitCode, merged.err).toBe(0);
    const report: unknown = JSON.parse(merged.out);
    expect(answerOf(report as Record<string, unknown>)).toEqual(answerOf(whole.report));
  });

  test("a joined report brings the counterexample along", async () => {
    const argv = ["--allow", "flush", "--schedules", "400"];
    await explore("flush-1", ...argv, "--shard", "1/2");
    await explore("flush-2", ...argv, "--shard", "2/2");
    const merged = await redlockLab(["merge", "flush-1", "flush-2", "--out", "flushed", "--json"], { cwd });
    for (const part of ["flush-1", "flush-2"]) rmSync(join(cwd, part), { recursive: true });
    const { found } = JSON.parse(merged.out) as { found: { replay: string; digest: string } };
    const again = await redlockLab([...found.replay.split(" ").slice(1), "--out", "flush-again"], { cwd });

    expect([merged.exitCode, again.exitCode]).toEqual([1, 1]);
    expect(again.out).toContain(found.digest);
  });

  test("a small world that was not walked to its end is no proof: exit code 2", async () => {
    const argv = ["explore", "--exhaustive", "--faults", "2", "--seconds", "1", "--out", "unfinished"];
    const { exitCode, out } = await redlockLab(argv, { cwd });

    expect(exitCode, out).toBe(2);
    expect(out).toContain("NOT walked to the end");
  });

  test("walks a small world completely, and says so", async () => {
    const argv = ["explore", "--exhaustive", "--faults", "0", "--messages", "1"];
    const { exitCode, out } = await redlockLab([...argv, "--out", "walked"], { cwd });

    expect(exitCode, out).toBe(0);
    expect(out).toMatch(
      /3 nodes, up to 0 faults, up to 1 messages late or lost: \d+ schedules, walked completely/,
    );
  });

  test("a small world shows what a mutant does", async () => {
    const argv = ["explore", "--exhaustive", "--faults", "0", "--strategy", "mutant:plain-del"];
    const { exitCode, out } = await redlockLab([...argv, "--out", "mutant"], { cwd });

    expect(exitCode, out).toBe(1);
    expect(out).toContain("compared nothing");
  });

  test.each([
    ["an assumption that is none", ["explore", "--allow", "magic"], "There are: clock-jump"],
    ["a strategy that is none", ["explore", "--strategy", "hope"], "There is no strategy"],
    ["faults of a walk for drawn schedules", ["explore", "--faults", "1"], "--faults is for --exhaustive"],
    [
      "a number of schedules for a walk",
      ["explore", "--exhaustive", "--schedules", "5"],
      "is for drawn schedules",
    ],
    ["a shard beyond the last", ["explore", "--shard", "3/2"], "for example 2/8"],
    ["no schedules at all", ["explore", "--schedules", "0"], "whole number"],
    ["no folder", ["merge", "nowhere"], "There is no file nowhere."],
    ["a missing shard", ["merge", "part-1"], "Shard 2 of 2 is missing."],
    [
      "a merge over one of its shards",
      ["merge", "part-1", "part-2", "--out", "part-1"],
      "is one of the shards",
    ],
    ["a shard that comes twice", ["merge", "part-1", "part-1"], "Shard 1 comes twice"],
    ["shards of two explorations", ["merge", "part-1", "one"], "of another exploration"],
  ])("%s is one sentence and exit code 64", async (_what, argv, sentence) => {
    const { exitCode, out, err } = await redlockLab(argv, { cwd });

    expect({ exitCode, out }).toEqual({ exitCode: 64, out: "" });
    expect(err).toContain(sentence);
    expect(err).not.toMatch(/^ +at /m);
  });

  test("a file that is no report is one sentence", async () => {
    writeFileSync(join(cwd, "not.json"), '{"schema": "something"}');
    const { exitCode, err } = await redlockLab(["merge", "not.json"], { cwd });

    expect(exitCode).toBe(64);
    expect(err).toMatch(/^redlock-lab: not\.json is no report of an exploration: /);
  });
});

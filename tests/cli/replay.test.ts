/** `redlock-lab replay`: a schedule that was written down comes out as it did, and a broken one is one sentence. */
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { redlockLab } from "./redlock-lab.fixture.ts";

let cwd = "";

beforeAll(async () => {
  cwd = mkdtempSync(join(tmpdir(), "redlock-lab-replay-"));
  await redlockLab(["run", "S07", "--out", "recorded"], { cwd });
});
afterAll(() => rmSync(cwd, { recursive: true, force: true }));

const recorded = (variant: string): string => join("recorded", `S07-${variant}-1`);

function change(file: string, alter: (text: string) => string): void {
  const path = join(cwd, file);
  writeFileSync(path, alter(readFileSync(path, "utf8")));
}

describe("redlock-lab replay", () => {
  test("a run's folder has the same digest, and what was expected of it", async () => {
    const { exitCode, out } = await redlockLab(["replay", recorded("plain"), "--out", "again"], { cwd });

    const before: unknown = JSON.parse(readFileSync(join(cwd, recorded("plain"), "result.json"), "utf8"));
    expect(exitCode).toBe(0);
    expect(before).toMatchObject({ digest: expect.stringMatching(/^[0-9a-f]{16}$/) });
    expect(out).toContain((before as { digest: string }).digest);
  });

  test("a schedule by itself: every violation counts", async () => {
    const file = join(cwd, "mine.json");
    writeFileSync(file, readFileSync(join(cwd, recorded("plain"), "schedule.json")));
    const { exitCode, out } = await redlockLab(["replay", "mine.json"], { cwd });

    expect(exitCode).toBe(1);
    expect(out).toContain("redlock-lab replay mine.json --backend simulated");
  });

  test("another history than the recorded one is exit code 5", async () => {
    change(join(recorded("fenced"), "result.json"), (text) =>
      text.replace(/"digest": "[0-9a-f]+"/, '"digest": "0123456789abcdef"'),
    );
    const { exitCode, out } = await redlockLab(["replay", recorded("fenced")], { cwd });

    expect(exitCode).toBe(5);
    expect(out).toContain("it was 0123456789abcdef when it was recorded");
  });

  test("a schedule that was edited in its folder is another one: every violation counts", async () => {
    const edited = join("edited", "S07-plain-1");
    cpSync(join(cwd, recorded("plain")), join(cwd, edited), { recursive: true });
    change(join(edited, "schedule.json"), (text) => text.replace('"byMs": 2000', '"byMs": 3000'));
    const { exitCode, out } = await redlockLab(["replay", edited], { cwd });

    expect(exitCode).toBe(1);
    expect(out).toContain("edited after its run");
  });

  test("what is played again is not written over", async () => {
    const before = readFileSync(join(cwd, recorded("plain"), "history.jsonl"), "utf8");
    const { exitCode, err } = await redlockLab(["replay", recorded("plain"), "--out", "recorded"], { cwd });

    expect(exitCode).toBe(64);
    expect(err).toMatch(/is the run that is played again; name another folder with --out\.\n$/);
    expect(readFileSync(join(cwd, recorded("plain"), "history.jsonl"), "utf8")).toBe(before);
  });

  test("an empty file is said to be empty", async () => {
    writeFileSync(join(cwd, "empty.json"), "");

    expect((await redlockLab(["replay", "empty.json"], { cwd })).err).toBe(
      "redlock-lab: empty.json is empty.\n",
    );
  });

  test.each([
    [join("recorded", "S07-plain-1", "history.jsonl"), "is a history, which `redlock-lab check` judges"],
    ["nowhere.json", "There is no file nowhere.json."],
    ["recorded", "recorded holds no schedule.json; give the folder of a run, or the file itself."],
    [join("recorded", "summary.md"), "cannot be read"],
    [join("recorded", "result.json"), "is no schedule"],
  ])("%s is one sentence and exit code 64", async (file, sentence) => {
    const { exitCode, out, err } = await redlockLab(["replay", file], { cwd });

    expect({ exitCode, out }).toEqual({ exitCode: 64, out: "" });
    expect(err).toContain(sentence);
    expect(err).not.toMatch(/^ +at /m);
  });
});

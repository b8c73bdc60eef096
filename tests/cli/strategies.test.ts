/** `redlock-lab run --strategy`: another way to lock on trial, and the stories that catch it. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { redlockLab } from "./redlock-lab.fixture.ts";

let cwd = "";

beforeAll(() => {
  cwd = mkdtempSync(join(tmpdir(), "redlock-lab-strategies-"));
});
afterAll(() => rmSync(cwd, { recursive: true, force: true }));

describe("redlock-lab run --strategy", () => {
  test("a mutant is caught: exit code 1, with the stories that caught it", async () => {
    const { exitCode, out, err } = await redlockLab(["run", "--strategy", "mutant:plain-del"], { cwd });

    expect({ exitCode, err }).toEqual({ exitCode: 1, err: "" });
    expect(out).toMatch(/^S25 +plain +0 of 1 .* violated$/m);
    expect(out).toContain(
      "redlock-lab run S25 --variant plain --backend simulated --seed 1 --strategy mutant:plain-del\n",
    );
  });

  test("the shipped coordinator is caught by nothing", async () => {
    const { exitCode, out } = await redlockLab(["run", "--strategy", "redlock"], { cwd });

    expect(exitCode, out.slice(-4000)).toBe(0);
  });

  test("real servers play none but the coordinator's own", async () => {
    const argv = ["run", "S25", "--strategy", "mutant:plain-del", "--backend", "local"];
    const { exitCode, out } = await redlockLab(argv, { cwd });

    expect(exitCode).toBe(2);
    expect(out).toContain("real workers lock with the coordinator as it is shipped");
  });

  test("a strategy that is none is one sentence with those there are", async () => {
    const { exitCode, out, err } = await redlockLab(["run", "--strategy", "mutant:none"], { cwd });

    expect({ exitCode, out }).toEqual({ exitCode: 64, out: "" });
    expect(err).toMatch(/^redlock-lab: There is no strategy "mutant:none"\. There are: redlock, .*\.\n$/);
  });

  test("list --strategies has a line for each", async () => {
    const { exitCode, out } = await redlockLab(["list", "--strategies"], { cwd });

    expect(exitCode).toBe(0);
    for (const name of ["redlock", "single", "replicated-wait", "mutant:count-late-replies"]) {
      expect(out).toMatch(new RegExp(`^${name} +\\S`, "m"));
    }
  });
});

import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { redlockLab } from "./redlock-lab.fixture.ts";

let cwd = "";

beforeAll(() => {
  cwd = mkdtempSync(join(tmpdir(), "redlock-lab-cli-"));
});
afterAll(() => rmSync(cwd, { recursive: true, force: true }));

describe("redlock-lab", () => {
  test("list shows the stories, their aliases and the sources", async () => {
    const { exitCode, out, err } = await redlockLab(["list"], { cwd });

    expect({ exitCode, err }).toEqual({ exitCode: 0, err: "" });
    for (const id of ["S01", "S07", "S14", "S15", "S16", "S19", "S20", "S40", "S53"]) {
      expect(out).toMatch(new RegExp(`^${id} `, "m"));
    }
    expect(out).toMatch(/alias kleppmann-pause: Martin Kleppmann/);
    expect(out).toMatch(/alias antirez-\S+: /);
  });

  test("list --json is JSON and nothing else", async () => {
    const { out } = await redlockLab(["list", "--json"], { cwd });

    expect(JSON.parse(out)).toMatchObject({ schema: "redlock-lab/list/1" });
  });

  test("a reader that goes away is no failure", async () => {
    const { exitCode, err } = await redlockLab(["list", "--json"], { cwd, readsMax: 1 });

    expect({ exitCode, err }).toEqual({ exitCode: 0, err: "" });
  });

  test("--version is the package's", async () => {
    expect((await redlockLab(["--version"], { cwd })).out).toMatch(/^\d+\.\d+\.\d+\n$/);
  });

  test("an unknown story is exit code 64 and says what exists", async () => {
    const { exitCode, err } = await redlockLab(["run", "S99"], { cwd });

    expect(exitCode).toBe(64);
    expect(err).toMatch(
      /^redlock-lab: There is no scenario "S99".*S01.*S65; `redlock-lab list` tells them\.\n$/,
    );
  });

  test.each([
    ["a number out of range", ["run", "S01", "--repeat", "0"], "from 1 to 1000"],
    ["a number that is none", ["run", "S01", "--ttl-ms", "1e3"], "whole number"],
    ["a quorum below the majority", ["run", "S01", "--quorum", "2"], "at least 3"],
    ["a quorum above the nodes", ["run", "S01", "--nodes", "3", "--quorum", "4"], "quorum of 4"],
    ["a variant that nothing has", ["run", "S01", "--variant", "nope"], "nope"],
    ["an unknown option", ["run", "--frobnicate"], "--frobnicate"],
    ["a port for no server", ["run", "S01", "--port-base", "20000"], "starts none"],
    ["a story that is not there", ["run", "./mine.ts"], "There is no file ./mine.ts"],
  ])("%s is one sentence and exit code 64", async (_what, argv, sentence) => {
    const { exitCode, out, err } = await redlockLab(argv, { cwd });

    expect({ exitCode, out }).toEqual({ exitCode: 64, out: "" });
    expect(err).toContain(sentence);
    expect(err).not.toMatch(/^ +at /m);
    expect(readdirSync(cwd)).not.toContain("redlock-lab-results");
  });

  test("Ctrl-C ends the runs, and what was finished is written", async () => {
    const argv = ["run", "S19", "S20", "--backend", "local", "--concurrency", "1", "--out", "interrupted"];
    const { exitCode, out, err } = await redlockLab(argv, { cwd, interruptAt: "ok   S19 refused #1" });

    expect({ exitCode, err }).toEqual({ exitCode: 130, err: "" });
    expect(out).toContain("Stopping;");
    const index: unknown = JSON.parse(readFileSync(join(cwd, "interrupted", "result.json"), "utf8"));
    expect(index).toMatchObject({ interrupted: true, exitCode: 130, runs: [{ folder: "S19-refused-1" }] });
  });

  test("a story of the user's own is played on real servers", async () => {
    const file = fileURLToPath(new URL("two-in-turn.fixture.ts", import.meta.url));
    const { exitCode, out } = await redlockLab(["run", file, "--backend", "local", "--out", "own"], { cwd });

    expect(exitCode).toBe(0);
    expect(out).toMatch(/^two-in-turn +plain +1 of 1 .* matched$/m);
  });

  test("the simulation needs no server, and one seed gives one digest", async () => {
    const argv = ["run", "S07", "--seed", "1"];
    const env = { PATH: dirname(process.execPath), REDIS_SERVER: "none", TOXIPROXY_SERVER: "none" };
    const [first, second] = [await redlockLab(argv, { cwd, env }), await redlockLab(argv, { cwd, env })];

    expect(first.exitCode, first.err).toBe(0);
    expect(digestsIn(first.out).length).toBeGreaterThan(1);
    expect(digestsIn(second.out)).toEqual(digestsIn(first.out));
  });

  test("a folder that cannot be written is exit code 64, before anything is started", async () => {
    writeFileSync(join(cwd, "a-file"), "");
    const { exitCode, err } = await redlockLab(["run", "S01", "--out", "a-file/results"], { cwd });

    expect(exitCode).toBe(64);
    expect(err).toBe("redlock-lab: a-file/results cannot be written: a part of the path is a file.\n");
  });
});

/** Of the lines that tell of finished runs. */
function digestsIn(out: string): readonly string[] {
  return [...out.matchAll(/^ok {3}S07 (\S+) #1 .* ([0-9a-f]{16}) /gm)].map(
    ([, variant, digest]) => `${variant} ${digest}`,
  );
}

/** `redlock-lab explore --backend local`: the search on real servers. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { redlockLab } from "./redlock-lab.fixture.ts";

let cwd = "";

beforeAll(() => {
  cwd = mkdtempSync(join(tmpdir(), "redlock-lab-explore-"));
});
afterAll(() => rmSync(cwd, { recursive: true, force: true }));

const ON_SERVERS = ["explore", "--backend", "local"];

describe("redlock-lab explore --backend local", () => {
  test("plays schedules on real servers and says what took hold", async () => {
    const { exitCode, out, err } = await redlockLab(
      [...ON_SERVERS, "--schedules", "2", "--concurrency", "2", "--json"],
      { cwd },
    );

    expect(exitCode, err).toBe(0);
    expect(JSON.parse(out)).toMatchObject({
      question: { backend: "local", schedules: 2 },
      tally: { scheduleCount: 2 },
      found: null,
    });
  });

  test.each([
    [["--exhaustive"], "redlock-lab: --exhaustive is for the simulation: no server can be walked."],
    [["--shard", "1/2"], "redlock-lab: --shard is for the simulation: servers play few schedules."],
  ])("%s is refused in one sentence", async (argv, sentence) => {
    const { exitCode, err } = await redlockLab([...ON_SERVERS, ...argv], { cwd });

    expect([exitCode, err.trim()]).toEqual([64, sentence]);
  });
});

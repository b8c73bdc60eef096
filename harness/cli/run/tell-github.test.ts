import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { checkerResults, invalid, runResult } from "../../report/run-result.fixture.ts";
import { fakeWorld } from "../cli-world.fixture.ts";
import { main } from "../main.ts";

let folder = "";

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "redlock-lab-github-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const VIOLATED = runResult({
  outcome: "violated",
  checkers: checkerResults({ declared: invalid("W1 and W2 both believed") }),
});

async function onGithub(argv: readonly string[], env: Record<string, string>) {
  const world = { ...fakeWorld([VIOLATED]), env: { GITHUB_ACTIONS: "true", ...env } };
  const code = await main(["run", "--out", join(folder, "out"), ...argv], world);
  return { code, ...world.said };
}

describe("on GitHub Actions", () => {
  test("a violation is an annotation in the log, and the summary is added to what the step has said", async () => {
    const file = join(folder, "step-summary.md");
    writeFileSync(file, "before\n");
    const { code, out } = await onGithub([], { GITHUB_STEP_SUMMARY: file });

    expect(code).toBe(1);
    expect(out).toMatch(
      /^::error title=redlock-lab%3A declared broken in S16 plain::W1 and W2 both believed/m,
    );
    expect(readFileSync(file, "utf8")).toMatch(/^before\n# Redlock lab\n/);
  });

  test("standard output stays JSON where it is asked for", async () => {
    const { out, err } = await onGithub(["--json"], {});

    expect(JSON.parse(out)).toMatchObject({ exitCode: 1 });
    expect(err).toContain("::error ");
  });

  test("a summary that cannot be written is told of and spoils nothing", async () => {
    const { code, err } = await onGithub([], { GITHUB_STEP_SUMMARY: join(folder, "no", "where", "x") });

    expect(code).toBe(1);
    expect(err).toMatch(/^redlock-lab: the summary of the step cannot be written: /m);
  });
});

test("elsewhere nothing of it is said", async () => {
  const world = fakeWorld([VIOLATED]);
  await main(["run", "--out", join(folder, "elsewhere")], world);

  expect(world.said.out + world.said.err).not.toContain("::error");
});

describe("thresholds", () => {
  test("what nobody measured is said, and is inconclusive", async () => {
    const world = fakeWorld([runResult()]);
    const code = await main(["run", "--max-p99-ms", "300", "--out", join(folder, "limits")], world);

    expect(code).toBe(2);
    expect(world.said.out).toMatch(/^[?] p99 of acquire, .*: not measured/m);
    expect(JSON.parse(readFileSync(join(folder, "limits", "result.json"), "utf8"))).toMatchObject({
      thresholds: [{ name: "max-p99-ms", limitMs: 300, worst: null, outcome: "unmeasured" }],
    });
  });

  test.each(["-1", "a", "600001"])("%s is no limit", async (limit) => {
    expect(await main(["run", `--max-recovery-ms=${limit}`], fakeWorld())).toBe(64);
  });
});

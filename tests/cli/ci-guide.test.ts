/** docs/ci.md: its files are YAML, and every command in them is played here, for every machine of a matrix. */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { parse } from "yaml";
import { redlockLab } from "./redlock-lab.fixture.ts";

const repository = join(import.meta.dirname, "..", "..");
const guide = readFileSync(join(repository, "docs", "ci.md"), "utf8");
const [github, gitlab] = [...guide.matchAll(/^```yaml\n([^]*?)^```$/gm)].map(
  ([, text = ""]) => parse(text) as Record<string, unknown>,
);

interface GithubJob {
  readonly strategy?: { readonly matrix: { readonly shard: readonly number[] } };
  readonly steps: readonly { readonly run?: string }[];
}

interface GitlabJob {
  readonly parallel?: number;
  readonly script: readonly string[];
}

function githubCommands(): readonly string[] {
  const { jobs } = github as { readonly jobs: Readonly<Record<string, GithubJob>> };
  return Object.values(jobs).flatMap(({ strategy, steps }) =>
    (strategy?.matrix.shard ?? [1]).flatMap((shard) =>
      steps.flatMap(({ run }) => run?.replaceAll("${{ matrix.shard }}", String(shard)) ?? []),
    ),
  );
}

function gitlabCommands(): readonly string[] {
  const jobs = Object.entries(gitlab as Record<string, GitlabJob>).filter(([name]) => name !== "default");
  return jobs.flatMap(([, { parallel = 1, script }]) =>
    Array.from({ length: parallel }, (_, at) =>
      script.map((line) =>
        line.replaceAll("$CI_NODE_INDEX", String(at + 1)).replaceAll("$CI_NODE_TOTAL", String(parallel)),
      ),
    ).flat(),
  );
}

/** What a pipeline runs of ours; the rest installs. */
const ours = (commands: readonly string[]) =>
  commands.flatMap((command) =>
    command.startsWith("npx redlock-lab ") ? [command.split(" ").slice(2)] : [],
  );
const others = (commands: readonly string[]) =>
  new Set(commands.filter((command) => !command.startsWith("npx redlock-lab ")));

let cwd = "";

beforeAll(() => {
  cwd = mkdtempSync(join(tmpdir(), "redlock-lab-pipeline-"));
});
afterAll(() => rmSync(cwd, { recursive: true, force: true }));

describe("docs/ci.md", () => {
  test("both files play the same commands", () => {
    expect(ours(gitlabCommands())).toEqual(ours(githubCommands()));
    expect(ours(githubCommands())).toHaveLength(9);
  });

  test("beside them they install, with what the package brings", () => {
    const setUp = "node_modules/redlock-lab/scripts/set-up.sh";
    expect(others(gitlabCommands())).toEqual(new Set([setUp]));
    expect(others(githubCommands())).toEqual(
      new Set(["npm ci", `sudo env "PATH=$PATH" "HOME=$HOME" ${setUp}`]),
    );
  });

  test.each(ours(githubCommands()).map((argv) => [argv.join(" "), argv] as const))(
    "%s",
    async (_name, argv) => {
      const { exitCode, out, err } = await redlockLab(argv, { cwd, limitMs: 120_000 });

      expect(exitCode, out + err).toBe(0);
    },
    120_000,
  );

  test("every exit code is explained", async () => {
    const { out } = await redlockLab(["--help"], { cwd });
    const codes = [...out.matchAll(/^ {2} *(\d+) {2}/gm)].map(([, code]) => code);

    expect([...guide.matchAll(/^[|] (\d+) [|]/gm)].map(([, code]) => code)).toEqual(codes);
  });
});

import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { InfrastructureError, UsageError } from "../lab-error.ts";
import { checkerResults, invalid, runResult, s01Result } from "../report/run-result.fixture.ts";
import { fakeWorld } from "./cli-world.fixture.ts";
import { main } from "./main.ts";

let folder = "";
let count = 0;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "redlock-lab-cli-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A folder of results that nobody has used. */
const freshOut = () => join(folder, `out-${(count += 1)}`);

describe("main", () => {
  test.each([[["--help"]], [["run", "--help"]], [["list", "--help"]], [["help"]], [["--version"]]])(
    "%j is no mistake",
    async (argv) => {
      const world = fakeWorld();

      expect(await main(argv, world)).toBe(0);
      expect(world.said.out).not.toBe("");
      expect(world.said.err).toBe("");
    },
  );

  test("the help of run shows examples and exit codes", async () => {
    const world = fakeWorld();
    await main(["run", "--help"], world);

    expect(world.said.out).toContain("redlock-lab run kleppmann-pause --variant fenced");
    expect(world.said.out).toMatch(/^ +130 {2}interrupted$/m);
  });

  test.each([
    [["play"], "unknown command 'play'"],
    [["run", "--repeat", "0"], "Give a whole number from 1 to 1000."],
    [["run", "--repeat", "1.5"], "Give a whole number from 1 to 1000."],
    [["run", "--concurrency", "many"], "Give a whole number from 1 to 16."],
    [["run", "--nodes", "10"], "Give a whole number from 1 to 9."],
    [["run", "--drift-factor", "0.6"], "Give a number from 0 to 0.5."],
    [["run", "--port-base", "80"], "Give a whole number from 1024 to 65000."],
    [["run", "--backend", "cloud"], "Allowed choices are simulated, local."],
    [["run", "--seed"], "argument missing"],
    [["run", "--seed", ""], "Give 1 to 64 letters, digits"],
    [["run", "--sead", "7"], "unknown option '--sead'"],
    [["run", "S99"], 'There is no scenario "S99"'],
    [["run", "antirez-delayd-restart"], "did you mean antirez-delayed-restart?"],
    [["run", "./nowhere.ts"], "There is no file ./nowhere.ts."],
  ])("%j is one sentence and exit code 64", async (argv, sentence) => {
    const world = fakeWorld();

    expect(await main(argv, world)).toBe(64);
    expect(world.said.err).toContain(sentence);
    expect(world.said.err).not.toContain("    at ");
    expect(world.requests).toEqual([]);
  });

  test("a folder that cannot be written is found before anything is started", async () => {
    const file = join(folder, "a-file");
    writeFileSync(file, "");
    for (const argv of [
      ["--out", join(file, "x")],
      ["--out", file],
      ["--out", freshOut(), "--junit", folder],
    ]) {
      const world = fakeWorld();

      expect(await main(["run", ...argv], world)).toBe(64);
      expect(world.said.err).toMatch(/^redlock-lab: .* cannot be written: [^\n]*\.\n$/);
      expect(world.backendOptions).toEqual([]);
    }
  });

  test("a run writes an index, JUnit XML, a summary, and a folder for each run", async () => {
    const out = freshOut();
    const junit = join(folder, "made", "junit.xml");
    const run = s01Result({ fenced: true });
    const world = fakeWorld([run]);

    expect(await main(["run", "S01", "--out", out, "--junit", junit], world)).toBe(0);
    expect(readdirSync(out).toSorted()).toEqual(["S01-fenced-1", "junit.xml", "result.json", "summary.md"]);
    expect(readdirSync(join(out, "S01-fenced-1")).toSorted()).toEqual([
      "history.jsonl",
      "result.json",
      "schedule.json",
    ]);
    expect(readFileSync(junit, "utf8")).toContain("<testsuites");
    const lines = readFileSync(join(out, "S01-fenced-1", "history.jsonl"), "utf8")
      .trimEnd()
      .split("\n");
    expect(lines).toHaveLength(1 + run.events.length);
    expect(JSON.parse(readFileSync(join(out, "S01-fenced-1", "schedule.json"), "utf8"))).toEqual(run.plan);
    expect(JSON.parse(readFileSync(join(out, "result.json"), "utf8"))).toMatchObject({
      command: `redlock-lab run S01 --out ${out} --junit ${junit}`,
      exitCode: 0,
    });
  });

  test("a run ends with the picture, the sentence, the table and where the files are", async () => {
    const out = freshOut();
    const world = fakeWorld([s01Result({ fenced: true })]);
    await main(["run", "S01", "--out", out], world);

    expect(world.said.out).toMatch(/W1 believes {2}━/);
    expect(world.said.out.replaceAll("\n", " ")).toContain("fencing token 33 is older than 34");
    expect(world.said.out).toMatch(/^S01 +fenced +1 of 1/m);
    expect(world.said.out).toContain(`Results: ${out}`);
  });

  test("--ascii prints ASCII only", async () => {
    const world = fakeWorld([s01Result({ fenced: true })]);
    await main(["run", "S01", "--ascii", "--out", freshOut()], world);

    expect(world.said.out).toMatch(/^[\n -~]*$/);
  });

  test("--json prints nothing but JSON on standard output", async () => {
    const world = fakeWorld();
    await main(["run", "--json", "--out", freshOut()], world);

    expect(JSON.parse(world.said.out)).toMatchObject({ schema: "redlock-lab/index/1", exitCode: 0 });
    expect(world.said.err).toContain("S16 plain #1");
  });

  test("an unwanted violation is exit code 1 and begins with what repeats it", async () => {
    const checkers = checkerResults({ declared: invalid("two") });
    const world = fakeWorld([runResult({ outcome: "violated", reason: "declared: two", checkers })]);

    expect(await main(["run", "S16", "--out", freshOut()], world)).toBe(1);
    expect(world.said.out).toContain(
      "\n\nredlock-lab run S16 --variant plain --backend local --seed 7\nviolated: declared: two\n",
    );
  });

  test("the command line becomes the request", async () => {
    const world = fakeWorld();
    const argv = ["run", "s16", "ANTIREZ-delayed-restart", "--variant", "plain", "--variant", "quorum-4"];
    const numbers = [
      "--repeat",
      "5",
      "--concurrency",
      "3",
      "--nodes",
      "7",
      "--quorum",
      "5",
      "--ttl-ms",
      "2000",
    ];
    const others = [
      "--node-timeout-ms",
      "40",
      "--drift-factor",
      "0.02",
      "--seed",
      "x",
      "--port-base",
      "21000",
    ];
    const strategy = ["--strategy", "mutant:no-undo"];
    await main([...argv, ...numbers, ...others, ...strategy, "--out", freshOut()], world);

    const [request] = world.requests;
    expect(request?.scenarios.map(({ id }) => id)).toEqual(["S16"]);
    expect(request).toMatchObject({
      named: true,
      variants: ["plain", "quorum-4"],
      repeat: 5,
      concurrency: 3,
      seed: "x",
      strategy: "mutant:no-undo",
      overrides: { nodeCount: 7, quorum: 5, ttlMs: 2000, nodeTimeoutMs: 40, driftFactor: 0.02 },
    });
    expect(world.backendOptions).toEqual([{ portBase: 21000 }]);
  });

  test("without a name everything is asked for, and nothing is overridden", async () => {
    const world = fakeWorld();
    await main(["run", "--out", freshOut()], world);

    expect(world.requests[0]).toMatchObject({ named: false, variants: [], overrides: {}, repeat: 1 });
    expect(world.requests[0]?.scenarios.map(({ id }) => id)).toEqual(["S16", "S01"]);
  });

  test("what the runner finds wrong leaves no folder behind", async () => {
    const out = freshOut();
    const runLab = () =>
      Promise.reject(new UsageError("A quorum of 2 of 5 nodes lets two workers win at once."));
    const world = fakeWorld([], { runLab });

    expect(await main(["run", "--quorum", "2", "--out", join(out, "deep")], world)).toBe(64);
    expect(world.said.err).toBe("redlock-lab: A quorum of 2 of 5 nodes lets two workers win at once.\n");
    expect(existsSync(out)).toBe(false);
  });

  test("a server that is missing is exit code 70, and so is a fault of ours", async () => {
    const missing = () => Promise.reject(new InfrastructureError("redis-server is missing."));
    const broken = () => Promise.reject(new TypeError("undefined is\nnot a function"));
    const first = fakeWorld([], { createBackend: missing });
    const second = fakeWorld([], { runLab: broken });

    expect(await main(["run", "--out", freshOut()], first)).toBe(70);
    expect(first.said.err).toBe("redlock-lab: redis-server is missing.\n");
    expect(await main(["run", "--out", freshOut()], second)).toBe(70);
    expect(second.said.err).toMatch(
      /^redlock-lab: This is a fault of redlock-lab itself: undefined is not a function .*\n$/,
    );
  });

  test("DEBUG=redlock-lab shows the stack", async () => {
    const runLab = () => Promise.reject(new TypeError("oh"));
    const world = { ...fakeWorld([], { runLab }), env: { DEBUG: "redlock-lab" } };
    await main(["run", "--out", freshOut()], world);

    expect(world.said.err).toContain("    at ");
  });

  test("the first Ctrl-C ends the runs and what was finished is written; the second ends the process", async () => {
    const out = freshOut();
    const world = fakeWorld([], {
      runLab: ({ signal, onProgress }) => {
        onProgress({ kind: "run-finished", result: runResult() });
        world.interrupt();
        expect(signal.aborted).toBe(true);
        expect(world.exits).toEqual([]);
        world.interrupt();
        return Promise.resolve([runResult()]);
      },
    });

    expect(await main(["run", "--out", out], world)).toBe(130);
    expect(world.exits).toEqual([130]);
    expect(JSON.parse(readFileSync(join(out, "result.json"), "utf8"))).toMatchObject({
      interrupted: true,
      exitCode: 130,
    });
    expect(readdirSync(out)).toContain("S16-plain-1");
    world.interrupt();
    expect(world.exits).toEqual([130]);
  });

  test("list shows aliases with their source, and what is expected", async () => {
    const world = fakeWorld();

    expect(await main(["list"], world)).toBe(0);
    expect(world.said.out).toContain("alias antirez-delayed-restart: Redis documentation");
    expect(world.said.out).toContain("expected: everything holds");
  });

  test("list --strategies names what can be put on trial", async () => {
    const world = fakeWorld();

    expect(await main(["list", "--strategies"], world)).toBe(0);
    expect(world.said.out).toMatch(/^redlock +The coordinator as it is shipped\.$/m);
    expect(world.said.out).toMatch(/^mutant:no-undo +/m);
  });

  test("list --strategies --json is JSON", async () => {
    const world = fakeWorld();
    await main(["list", "--strategies", "--json"], world);

    expect(JSON.parse(world.said.out)).toMatchObject({ schema: "redlock-lab/strategies/1" });
  });

  test("list --json is JSON", async () => {
    const world = fakeWorld();
    await main(["list", "--json"], world);

    expect(JSON.parse(world.said.out)).toMatchObject({
      schema: "redlock-lab/list/1",
      scenarios: [{ id: "S16" }, {}],
    });
  });

  test("doctor passes on what it found", async () => {
    const world = fakeWorld([], { runDoctor: () => Promise.resolve({ text: "missing", exitCode: 70 }) });

    expect(await main(["doctor"], world)).toBe(70);
    expect(world.said.out).toBe("missing\n");
  });
});

describe("a story of the user's own", () => {
  const write = (name: string, text: string) => {
    const file = join(folder, name);
    writeFileSync(file, text);
    return file;
  };
  const VALID = `{ id: "mine", title: "Mine", summary: "My own.", story: () => ({}), variants: [{ name: "plain", summary: "p", expect: {} }] }`;

  test.each([
    ["default.mjs", `export default ${VALID};`],
    ["named.mjs", `export const scenario = ${VALID};`],
    ["typed.ts", `const scenario: object = ${VALID};\nexport default scenario;`],
    ["typed-named.mts", `export const scenario: object = ${VALID};`],
  ])("is played from %s, and repeated by its file", async (name, text) => {
    const file = write(name, text);
    const replay = "redlock-lab run mine --variant plain --backend local --seed 1";
    const world = fakeWorld([runResult({ scenario: "mine", outcome: "inconclusive", replay })]);

    expect(await main(["run", file, "--out", freshOut()], world)).toBe(2);
    expect(world.requests[0]?.scenarios[0]?.title).toBe("Mine");
    expect(world.said.out).toContain(`redlock-lab run ${file} --variant plain`);
  });

  test.each([
    ["nothing.mjs", "export const other = 1;", "exports no scenario"],
    ["wrong.mjs", `export default { id: "mine", story: 1 };`, "wrong.mjs: Scenario mine: title is wrong"],
    ["broken.ts", "export default {", "broken.ts cannot be loaded"],
    ["throws.mjs", `throw new Error("not today");`, "throws.mjs cannot be loaded: not today"],
    ["story.json", "{}", "is no story"],
  ])("%s is one sentence and exit code 64", async (name, text, sentence) => {
    const world = fakeWorld();

    expect(await main(["run", write(name, text)], world)).toBe(64);
    expect(world.said.err).toContain(sentence);
    expect(world.said.err.trimEnd()).not.toContain("\n");
  });

  test("must not be called like one of the laboratory's that is played with it", async () => {
    const world = fakeWorld();
    const file = write("same.mjs", `export default ${VALID.replace("mine", "S16")};`);

    expect(await main(["run", "S16", file], world)).toBe(64);
    expect(world.said.err).toContain("Two of the stories are called S16");
  });
});

/** `npm run bench` as a user meets it: what it cannot do is said at once, and what it has measured is not lost. */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { findRedisServer, findToxiproxyServer } from "../../harness/backends/local/programs.ts";
import { eventually } from "../e2e/lab-process.fixture.ts";
import { type BenchProcess, startBench } from "./bench-process.fixture.ts";

let bench: BenchProcess | undefined;
const caches: string[] = [];

afterEach(async () => {
  bench?.child.kill("SIGKILL");
  await bench?.ended;
  bench?.remove();
  for (const cache of caches.splice(0)) rmSync(cache, { recursive: true, force: true });
});

function start(args: readonly string[], environment: Readonly<Record<string, string>> = {}): BenchProcess {
  bench = startBench("bench/coordinator/main", args, environment);
  return bench;
}

const isOneSentence = /^bench: .+\.\n$/;

describe("npm run bench", () => {
  test("--help lists the options and the parts", async () => {
    const { ended, out, err } = start(["--help"]);
    expect(await ended).toBe(0);
    expect(out()).toMatch(/--short[^]*--no-peers[^]*--json[^]*Parts: idle, load/);
    expect(err()).toBe("");
  });

  test.each([
    { args: ["--parts", "idle,nonsense"], says: 'no part "nonsense"; choose of idle,' },
    { args: ["--json", "nowhere/bench.json"], says: "there is no folder" },
    { args: ["--json", "."], says: "is a folder" },
    { args: ["--fast"], says: "--help" },
    { args: ["idle"], says: "--help" },
  ])("$args is refused with one sentence", async ({ args, says }) => {
    const { ended, out, err } = start(args);
    expect(await ended).toBe(64);
    expect(err()).toMatch(isOneSentence);
    expect(err()).toContain(says);
    expect(out()).toBe("");
  });

  test.each([
    { signal: "SIGINT", exitCode: 130 },
    { signal: "SIGTERM", exitCode: 143 },
  ] as const)(
    "after $signal what was measured is written, and nobody is left",
    async ({ signal, exitCode }) => {
      const running = start(["--no-peers", "--short", "--parts", "majority,load", "--json", "bench.json"]);
      await running.untilOut("dead: keys left");
      expect(running.processes().length).toBeGreaterThan(5);
      running.child.kill(signal);
      expect(await running.ended).toBe(exitCode);
      expect(await eventually(() => running.processes().length === 0), running.processes().join("\n")).toBe(
        true,
      );
      const written: unknown = JSON.parse(readFileSync(join(running.folder, "bench.json"), "utf8"));
      expect(written).toMatchObject({
        isPartial: true,
        rows: expect.arrayContaining([
          expect.objectContaining({ figure: "majority dead: keys left", isMet: true }),
        ]),
      });
      expect(written).not.toMatchObject({
        rows: expect.arrayContaining([expect.objectContaining({ figure: "ops/s at 64" })]),
      });
    },
  );

  test("where the peers cannot be installed the floors are measured, and a row says so", async () => {
    const [redis, toxiproxy] = [await findRedisServer(), await findToxiproxyServer()];
    if (redis.kind === "missing" || toxiproxy.kind === "missing") throw new Error("run npm run set-up");
    // A cache folder in which no peers are yet, and a registry that nobody answers for.
    const cache = mkdtempSync(join(tmpdir(), "redlock-lab-cache-"));
    caches.push(cache);
    const running = start(["--short", "--parts", "majority", "--json", "bench.json"], {
      XDG_CACHE_HOME: cache,
      REDIS_SERVER: redis.path,
      PATH: `${join(toxiproxy.path, "..")}:${process.env["PATH"] ?? ""}`,
      npm_config_registry: "http://127.0.0.1:1/",
      npm_config_cache: join(cache, "npm"),
    });
    expect(await running.ended, running.err()).toBe(0);
    expect(running.err()).toMatch(/^bench: The other lock libraries cannot be installed, .+\.$/m);
    expect(running.out()).toContain("majority dead: keys left");
    expect(running.out()).toContain("install, redlock-5: it cannot be installed");
    expect(JSON.parse(readFileSync(join(running.folder, "bench.json"), "utf8"))).toMatchObject({
      isPartial: false,
      rows: expect.arrayContaining([expect.objectContaining({ subject: "redis-kit" })]),
    });
  });
});

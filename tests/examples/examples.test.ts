/** Every example, as its reader starts it, on real servers. */
import { execFile } from "node:child_process";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type PostgresServer, startPostgres } from "../servers/postgres.fixture.ts";
import { type RedisServers, startRedisServers } from "../servers/redis-servers.fixture.ts";

const root = join(import.meta.dirname, "..", "..");
const EXAMPLES = readdirSync(join(root, "examples")).filter(
  (name) => name.endsWith(".mjs") && name !== "nodes.mjs",
);

interface Ended {
  readonly exitCode: number;
  readonly out: string;
  readonly err: string;
}

function runExample(name: string, env: NodeJS.ProcessEnv): Promise<Ended> {
  return new Promise((resolve) => {
    const { PATH } = process.env;
    execFile(
      process.execPath,
      [join("examples", name)],
      { cwd: root, env: { PATH, ...env } },
      (error, out, err) => {
        resolve({
          exitCode: typeof error?.code === "number" ? error.code : error === null ? 0 : -1,
          out,
          err,
        });
      },
    );
  });
}

let redis: RedisServers;
let postgres: PostgresServer;
let env: NodeJS.ProcessEnv;

beforeAll(async () => {
  [redis, postgres] = await Promise.all([startRedisServers(5), startPostgres()]);
  env = { REDLOCK_NODES: redis.urls.join(","), REDLOCK_FIRST_USE: "trust", DATABASE_URL: postgres.url };
});

afterAll(async () => {
  await Promise.all([redis.close(), postgres.close()]);
});

describe.each(EXAMPLES)("%s", (name) => {
  test("says what to do where no servers are named", async () => {
    const { exitCode, err } = await runExample(name, {});

    expect(exitCode).toBe(64);
    expect(err).toMatch(/REDLOCK_NODES=redis:|DATABASE_URL=postgres:/);
  });

  test("comes to its end", async () => {
    expect(await runExample(name, env)).toMatchObject({ exitCode: 0, err: "" });
  });
});

test("a job that two machines start runs once", async () => {
  const fresh = await startRedisServers(5);
  try {
    const own = { ...env, REDLOCK_NODES: fresh.urls.join(",") };
    // The first brings the nodes into use.
    expect(await runExample("worker-with-renewal.mjs", own)).toMatchObject({ exitCode: 0 });
    const both = await Promise.all(["1", "2"].map(() => runExample("cron-once.mjs", own)));

    expect(both.map(({ exitCode }) => exitCode)).toEqual([0, 0]);
    expect(both.map(({ out }) => out.split("\n")[0]).toSorted()).toEqual([
      "nightly-report: it is ours",
      "nightly-report: somebody else does it",
    ]);
  } finally {
    await fresh.close();
  }
});

test("work that outlives its lock is extended", async () => {
  const { out } = await runExample("worker-with-renewal.mjs", env);

  expect(out).toContain("  extended\n");
  expect(out.trim().split("\n").at(-1)).toBe("done, and released");
});

test("the database refuses who comes late", async () => {
  const { out } = await runExample("fenced-postgres-write.mjs", env);

  expect(out).toMatch(/token \d+ was drawn: written\ntoken \d+ comes late: refused\n$/);
});

import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { InfrastructureError } from "../../lab-error.ts";
import { findCompiler, findRedisServer, findToxiproxyServer, requireProgram } from "./programs.ts";

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "redlock-lab-programs-"));
});

afterEach(() => {
  rmSync(folder, { recursive: true });
});

/** A program that prints one line whatever it is asked. */
function fakeProgram(name: string, line: string): string {
  const path = join(folder, name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, `#!/bin/sh\necho '${line}'\n`);
  chmodSync(path, 0o755);
  return path;
}

/** A machine on which nothing but what the test made is found. */
function machine(env: Record<string, string> = {}, platform: NodeJS.Platform = "linux") {
  return { env: { PATH: join(folder, "bin"), ...env }, platform, home: folder, usualFolders: [] };
}

describe("findRedisServer", () => {
  test("takes the one on the PATH and reads its version", async () => {
    const path = fakeProgram(
      "bin/redis-server",
      "Redis server v=7.0.15 sha=00000000:0 malloc=jemalloc-5.3.0 bits=64",
    );

    expect(await findRedisServer(machine())).toEqual({
      kind: "found",
      name: "redis-server",
      path,
      version: "7.0.15",
    });
  });

  test("prefers the one that REDIS_SERVER names, whatever its version", async () => {
    fakeProgram("bin/redis-server", "Redis server v=7.0.15");
    const path = fakeProgram("own/server", "Redis server v=6.2.1");

    expect(await findRedisServer(machine({ REDIS_SERVER: path }))).toMatchObject({ path, version: "6.2.1" });
  });

  test("does not fall back where REDIS_SERVER names nothing that runs", async () => {
    fakeProgram("bin/redis-server", "Redis server v=7.0.15");

    expect(await findRedisServer(machine({ REDIS_SERVER: "/nowhere/redis" }))).toEqual({
      kind: "missing",
      name: "redis-server",
      reason: "REDIS_SERVER names /nowhere/redis, which does not run as a redis-server",
      command: "set REDIS_SERVER to the path of a redis-server, or unset it",
    });
  });

  test("passes over one that is too old and finds what the set-up linked", async () => {
    fakeProgram("bin/redis-server", "Redis server v=6.0.16");
    const path = fakeProgram(".cache/redlock-lab/redis-server", "Redis server v=7.0.15");

    expect(await findRedisServer(machine())).toMatchObject({ kind: "found", path });
  });

  test("says that the only one is too old", async () => {
    const path = fakeProgram("bin/redis-server", "Redis server v=6.0.16");

    expect(await findRedisServer(machine())).toMatchObject({
      kind: "missing",
      reason: `${path} is version 6.0.16, older than 7`,
    });
  });

  test.each([
    { platform: "linux", command: "bash scripts/set-up.sh" },
    { platform: "darwin", command: "brew install redis" },
  ] as const)("names the command that brings it on $platform", async ({ platform, command }) => {
    expect(await findRedisServer(machine({}, platform))).toMatchObject({ kind: "missing", command });
  });
});

describe("findToxiproxyServer", () => {
  test("prefers the one in the cache folder", async () => {
    fakeProgram("bin/toxiproxy-server", "toxiproxy-server version 2.13.0");
    const path = fakeProgram("cache/redlock-lab/toxiproxy-server", "toxiproxy-server version 2.12.0");

    const program = await findToxiproxyServer(machine({ XDG_CACHE_HOME: join(folder, "cache") }));

    expect(program).toMatchObject({ kind: "found", path, version: "2.12.0" });
  });

  test("refuses an old one and one that was built without a version", async () => {
    for (const version of ["2.1.4", "git"]) {
      fakeProgram("bin/toxiproxy-server", `toxiproxy-server version ${version}`);

      expect(await findToxiproxyServer(machine())).toMatchObject({ kind: "missing" });
    }
  });
});

describe("findCompiler", () => {
  test("passes over a CC that is no program", async () => {
    const path = fakeProgram("bin/gcc", "gcc 12.2.0");

    expect(await findCompiler(machine({ CC: "ccache gcc" }))).toMatchObject({ kind: "found", path });
  });

  test("finds a compiler that CC names by a bare word", async () => {
    const path = fakeProgram("bin/my-cc", "my-cc (Maker 3.2.1-4) 1.0");

    expect(await findCompiler(machine({ CC: "my-cc" }))).toMatchObject({ path, version: "1.0" });
  });
});

describe("requireProgram", () => {
  test("throws one sentence and the command", () => {
    const missing = {
      kind: "missing",
      name: "redis-server",
      reason: "redis-server is not there",
      command: "bash scripts/set-up.sh",
    } as const;

    expect(() => requireProgram(missing)).toThrow(
      new InfrastructureError("redis-server is not there. To get it: bash scripts/set-up.sh"),
    );
  });
});

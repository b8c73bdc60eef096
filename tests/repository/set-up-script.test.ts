/** What scripts/set-up.sh says on machines that lack something; the PATH of each is made of links. */
import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";

const script = join(import.meta.dirname, "..", "..", "scripts", "set-up.sh");
const TOOLS = ["bash", "sed", "mkdir", "rm", "mv", "ln", "tail", "head", "cat", "env", "find"];

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "redlock-lab-set-up-"));
  mkdirSync(join(folder, "bin"));
  for (const tool of TOOLS) {
    const path = ["/bin", "/usr/bin"].map((place) => join(place, tool)).find(existsSync);
    if (path !== undefined) symlinkSync(path, join(folder, "bin", tool));
  }
});

afterEach(() => {
  rmSync(folder, { recursive: true });
});

function fakeProgram(name: string, body: string): string {
  const path = join(folder, "bin", name);
  writeFileSync(path, `#!/bin/sh\n${body}\n`);
  chmodSync(path, 0o755);
  return path;
}

/** A machine with the system's name and the user's id, and neither servers nor a compiler. */
function machine(system: string, userId: number): void {
  fakeProgram("uname", `echo ${system}`);
  fakeProgram("id", `echo ${userId}`);
}

function setUp(env: Readonly<Record<string, string>> = {}, args: readonly string[] = []) {
  const { status, stdout, stderr } = spawnSync(join(folder, "bin", "bash"), [script, ...args], {
    env: { PATH: join(folder, "bin"), HOME: folder, ...env },
    encoding: "utf8",
  });
  return { status, stdout, stderr };
}

/** The three programs, as stand-ins that answer as the real ones do. */
function fakeServers() {
  return {
    redis: fakeProgram("redis-server", "echo 'Redis server v=7.2.1 sha=0'"),
    toxiproxy: fakeProgram("toxiproxy-server", "echo 'toxiproxy-server version 2.12.0'"),
    compiler: fakeProgram("cc", "cat >/dev/null"),
  };
}

describe("scripts/set-up.sh", () => {
  test("says what is there and installs nothing", () => {
    machine("Linux", 1000);
    const { redis, toxiproxy, compiler } = fakeServers();

    const { status, stdout } = setUp();

    expect(status).toBe(0);
    expect(stdout.trim().split("\n")).toEqual([
      `set-up: C compiler: ${compiler}`,
      `set-up: redis-server 7.2.1: ${redis}`,
      `set-up: toxiproxy-server 2.12.0: ${toxiproxy}`,
    ]);
    expect(existsSync(join(folder, ".cache"))).toBe(false);
  });

  test("prints the commands where root's rights are needed", () => {
    machine("Linux", 1000);
    fakeProgram("apt-get", "exit 99");

    const { status, stderr } = setUp({ REDIS_SERVER: fakeProgram("mine", "echo 'Redis server v=7.2.1'") });

    expect(status).toBe(70);
    expect(stderr).toMatch(/sudo apt-get install .*gcc libc6-dev python3-pip$/m);
    expect(stderr).not.toContain("redis");
  });

  test("names Homebrew's packages on macOS, and no compiler", () => {
    machine("Darwin", 501);

    const { status, stderr } = setUp();

    expect(status).toBe(70);
    // A server in one of the usual places is found without a PATH.
    expect(stderr).toMatch(/^set-up: run this, then try again: {2}brew install (redis )?toxiproxy\n$/);
  });

  test.each(["REDIS_SERVER", "TOXIPROXY_SERVER"])("a wrong %s is one sentence and 70", (variable) => {
    machine("Linux", 0);
    fakeServers();

    const { status, stdout, stderr } = setUp({ [variable]: "/nowhere/server" });

    expect({ status, stdout }).toEqual({ status: 70, stdout: "" });
    expect(stderr).toBe(
      `set-up: ${variable} names /nowhere/server, which is not a program that can be run.\n`,
    );
  });

  test("gives the server its own name where only redis-tools is there", () => {
    machine("Linux", 1000);
    const { redis } = fakeServers();
    rmSync(redis);
    fakeProgram("redis-check-rdb", `case "$0" in *redis-server) echo 'Redis server v=7.0.15' ;; esac`);

    const { status, stdout } = setUp();

    expect(status).toBe(0);
    expect(stdout).toContain(`redis-server 7.0.15: ${join(folder, ".cache", "redlock-lab", "redis-server")}`);
  });

  test("other servers are for the tests alone: without pip it says so in one sentence, and is done", () => {
    machine("Linux", 1000);
    fakeServers();

    const { status, stdout } = setUp({}, ["--other-servers"]);

    expect(status).toBe(0);
    // Whether there is a PostgreSQL depends on the machine.
    const said = stdout.trim().split("\n").slice(3);
    expect(said.filter((line) => !line.includes("PostgreSQL"))).toEqual([
      "set-up: redis-8.2.3 was not brought, because there is no pip: tests on other servers than redis-server will fail.",
    ]);
  });

  test("refuses what it does not know", () => {
    expect(setUp({}, ["--all"])).toMatchObject({
      status: 70,
      stderr: "set-up: unknown option --all: there is --other-servers.\n",
    });
  });

  test("removes what a killed set-up left half-built", () => {
    machine("Linux", 1000);
    fakeServers();
    // No process has this id: it is above the kernel's highest.
    const left = join(folder, ".cache", "redlock-lab", "building.99999999");
    mkdirSync(left, { recursive: true });

    expect(setUp().status).toBe(0);
    expect(existsSync(left)).toBe(false);
  });
});

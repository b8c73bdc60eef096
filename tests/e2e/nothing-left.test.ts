/** However the laboratory ends, nothing of it is left: no process, no port, no temporary folder. */
import { createSocket } from "node:dgram";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { eventually, type LabProcess, startLab } from "./lab-process.fixture.ts";

let lab: LabProcess | undefined;

afterEach(async () => {
  lab?.child.kill("SIGKILL");
  await lab?.ended;
  lab?.remove();
});

function start(args: readonly string[], environment: Readonly<Record<string, string>> = {}): LabProcess {
  lab = startLab(args, environment);
  return lab;
}

/** The ports that the lab's redis-servers and Toxiproxy listen on, read from their command lines. */
function portsOf({ processes }: LabProcess): readonly number[] {
  return processes().flatMap((command) => {
    const port = /-port (\d+)/.exec(command)?.[1];
    return port === undefined ? [] : [Number(port)];
  });
}

async function isFree(port: number): Promise<boolean> {
  const tcp = await new Promise<boolean>((resolve) => {
    const server = createServer()
      .once("error", () => resolve(false))
      .listen(port, "127.0.0.1", () => server.close(() => resolve(true)));
  });
  const udp = await new Promise<boolean>((resolve) => {
    const socket = createSocket("udp4").once("error", () => resolve(false));
    socket.bind({ port, address: "127.0.0.1", exclusive: true }, () => socket.close(() => resolve(true)));
  });
  return tcp && udp;
}

async function expectNothingLeft(running: LabProcess, ports: readonly number[]): Promise<void> {
  expect(await eventually(() => running.processes().length === 0), running.processes().join("\n")).toBe(true);
  expect(await eventually(() => running.temporaryFiles().length === 0), running.temporaryFiles().join()).toBe(
    true,
  );
  for (const port of ports) expect(await isFree(port), `port ${port}`).toBe(true);
}

/** True while some worker of this lab is stopped. */
function hasStoppedProcess({ child }: LabProcess): boolean {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .some((name) => {
      try {
        const stat = readFileSync(`/proc/${name}/stat`, "utf8");
        return / T (\d+) /.exec(stat.slice(stat.lastIndexOf(")") + 1))?.[1] === String(child.pid);
      } catch {
        // It ended while we looked.
        return false;
      }
    });
}

/** W1 of S01 is stopped: servers, proxies and both workers are there. */
async function untilWorkerIsStopped(running: LabProcess): Promise<readonly number[]> {
  expect(await eventually(() => hasStoppedProcess(running)), running.text()).toBe(true);
  const ports = portsOf(running);
  expect(ports.length).toBeGreaterThanOrEqual(7);
  expect(running.temporaryFiles().length).toBeGreaterThan(0);
  return ports;
}

describe("nothing is left", () => {
  test("after a run that went well", async () => {
    const running = start(["run", "--backend", "local", "S19", "--variant", "refused"]);
    expect(await running.ended, running.text()).toBe(0);
    await expectNothingLeft(running, []);
  });

  test.each([
    ["Ctrl-C", "SIGINT"],
    ["the terminal's end", "SIGHUP"],
  ] as const)(
    "after %s while a worker is stopped, and what had finished is written",
    async (_what, signal) => {
      const running = start(["run", "--backend", "local", "S01", "--variant", "plain"]);
      const ports = await untilWorkerIsStopped(running);
      running.child.kill(signal);
      expect(await running.ended).toBe(130);
      await expectNothingLeft(running, ports);
      expect(existsSync(join(running.out, "result.json"))).toBe(true);
      expect(running.text()).not.toMatch(/^ {4}at /m);
    },
  );

  test("after SIGKILL of the laboratory while a worker is stopped", async () => {
    const running = start(["run", "--backend", "local", "S01", "--variant", "plain"]);
    const ports = await untilWorkerIsStopped(running);
    running.child.kill("SIGKILL");
    await running.ended;
    await expectNothingLeft(running, ports);
  });

  test("after SIGKILL while servers are being started", async () => {
    const running = start(["run", "--backend", "local", "S14", "S19", "--concurrency", "2"]);
    expect(await eventually(() => running.processes().length >= 3)).toBe(true);
    running.child.kill("SIGKILL");
    await running.ended;
    await expectNothingLeft(running, []);
  });

  test("after a story whose expectation fails: exit 1, and it says which", async () => {
    const running = start(["run", "--backend", "local", "./my-story.ts"]);
    // The lab compiles the story after it has started itself; the file is there by then.
    writeFileSync(join(running.folder, "my-story.ts"), STORY);
    expect(await running.ended, running.text()).toBe(1);
    expect(running.text()).toContain("NOT expected");
    expect(running.text()).toContain("critical section");
    await expectNothingLeft(running, []);
  });

  test("when servers do not start: exit 70, and the lab itself ends", async () => {
    const program = join(mkdtempSync(join(tmpdir(), "redlock-lab-e2e-program-")), "redis-server");
    const says = "Redis server v=7.0.15 sha=00000000:0 malloc=libc bits=64 build=0";
    writeFileSync(program, `#!/bin/sh\n[ "$1" = --version ] && echo "${says}" && exit 0\nexit 1\n`, {
      mode: 0o755,
    });
    const running = start(["run", "--backend", "local", "S01", "--variant", "plain", "--repeat", "4"], {
      REDIS_SERVER: program,
    });
    expect(await running.ended, running.text()).toBe(70);
    expect(running.text()).toContain("did not start");
    await expectNothingLeft(running, []);
    rmSync(dirname(program), { recursive: true });
  });

  test("when a port is taken: exit 70, one sentence that names it", async () => {
    const blocked = createServer();
    await new Promise<void>((resolve) => blocked.listen(0, "127.0.0.1", () => resolve()));
    const address = blocked.address();
    const port = typeof address === "object" && address !== null ? address.port : 0;
    // The first port of the block: the kernel may have given any of its neighbours to somebody else.
    const running = start([
      "run",
      "--backend",
      "local",
      "S19",
      "--variant",
      "refused",
      "--port-base",
      String(port),
    ]);
    const code = await running.ended;
    blocked.close();
    expect(code, running.text()).toBe(70);
    expect(running.text()).toContain(String(port));
    expect(running.text()).not.toMatch(/^ {4}at /m);
    await expectNothingLeft(running, []);
  });
});

/** W1 works on beyond its lock, W2 acquires meanwhile, and nobody expects what follows. */
const STORY = `
const worker = (id: string, startWhen: object, rest: object) => ({
  id, startWhen, resource: "orders", ttlMs: 300, waitMs: 1000, acquireCount: 1, idleMs: 20, grantsMax: 1,
  workMs: 50, checkBeforeWrite: false, lingerMs: 0, extendMs: 0, ...rest,
});
export const scenario = {
  id: "mine",
  title: "A holder that works on",
  summary: "W1 works longer than its lock lives.",
  story: () => ({
    workers: [
      worker("W1", { kind: "at", atMs: 0 }, { workMs: 600 }),
      worker("W2", { kind: "after", event: { kind: "acquire-granted", worker: "W1" } }, {}),
    ],
    faults: [],
    staging: [],
    demands: { contention: true, events: [] },
    limitMs: 5000,
  }),
  variants: [{ name: "plain", summary: "As it is.", expect: {} }],
};
`;

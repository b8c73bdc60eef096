import { type ChildProcess, execFile, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { createInterface } from "node:readline";
import { setTimeout as delay } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { packageRoot } from "../../harness/backends/real/package-files.ts";
import { createRunFolder } from "../../harness/backends/real/run-folder.ts";
import { processStartTime } from "../../harness/backends/real/supervisor/process-identity.ts";
import { Supervisor } from "../../harness/backends/real/supervisor/supervisor.ts";
import { redisServer, useRig } from "./lab-rig.fixture.ts";

const rig = useRig();
const GONE_POLLS_MAX = 500;

/** A laboratory in small: a supervisor, a node, two stopped children (one of them unknown to it), a folder. */
const LAB = `
import { spawn } from "node:child_process";
const [dist, program, port] = process.argv.slice(1);
const backend = (path) => import(dist + "/harness/backends/" + path);
const { Supervisor } = await backend("real/supervisor/supervisor.js");
const { RedisProcess } = await backend("local/redis-process.js");
const { createRunFolder } = await backend("real/run-folder.js");
const runLabel = "label-" + process.pid;
const supervisor = await Supervisor.start();
supervisor.watchRun(runLabel);
const folder = await createRunFolder(supervisor);
const node = new RedisProcess({ name: "A", port: Number(port), folder: folder.path + "/A", persistence: "none",
  program, runLabel, ledger: supervisor });
await node.start();
const children = [{}, { REDLOCK_LAB_RUN: runLabel }].map((label) => {
  const child = spawn("sleep", ["600"], { detached: true, stdio: "ignore", env: { ...process.env, ...label } });
  child.kill("SIGSTOP");
  return child.pid;
});
supervisor.watchProcess(children[0]);
console.log(JSON.stringify({ supervisor: supervisor.pid, pids: [node.pid, ...children], folder: folder.path }));
setInterval(() => undefined, 1000);
`;

interface SmallLab {
  readonly child: ChildProcess;
  readonly supervisor: number;
  readonly pids: readonly number[];
  readonly folder: string;
}

async function startLab(): Promise<SmallLab> {
  const [port] = await rig.ports(1);
  const dist = pathToFileURL(join(packageRoot(), "dist")).href;
  const child = spawn(
    process.execPath,
    ["--input-type=module", "-e", LAB, dist, await redisServer(), String(port)],
    { stdio: ["ignore", "pipe", "inherit"] },
  );
  rig.onClose(() => child.kill("SIGKILL"));
  const [line] = await Promise.all([
    new Promise<string>((resolve) => createInterface({ input: child.stdout }).once("line", resolve)),
  ]);
  return { child, ...(JSON.parse(line) as Omit<SmallLab, "child">) };
}

const running = (pids: readonly number[]) => pids.filter((pid) => processStartTime(pid) !== undefined);

async function awaitGone(pids: readonly number[]): Promise<readonly number[]> {
  for (let poll = 0; poll < GONE_POLLS_MAX && running(pids).length > 0; poll++) await delay(20);
  return running(pids);
}

describe("the supervisor of a laboratory", () => {
  test("that is killed ends its processes, stopped and unknown ones too, and removes its folder", async () => {
    const lab = await startLab();
    expect(running([...lab.pids, lab.supervisor])).toHaveLength(4);
    lab.child.kill("SIGKILL");
    expect(await awaitGone([...lab.pids, lab.supervisor])).toEqual([]);
    expect(existsSync(lab.folder)).toBe(false);
  });

  test("does not obey the terminal's signals", async () => {
    const lab = await startLab();
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.kill(lab.supervisor, signal);
    await delay(100);
    expect(running([lab.supervisor])).toEqual([lab.supervisor]);
    lab.child.kill("SIGTERM");
    expect(await awaitGone([...lab.pids, lab.supervisor])).toEqual([]);
    expect(existsSync(lab.folder)).toBe(false);
  });
});

describe("Supervisor", () => {
  test("leaves alone what it was told to forget, and what is not its own", async () => {
    const supervisor = await Supervisor.start();
    rig.onClose(() => supervisor.close());
    const sleeper = spawn("sleep", ["60"], { stdio: "ignore" });
    rig.onClose(() => sleeper.kill("SIGKILL"));
    const foreign = join(await rig.folder(), "foreign");
    await mkdir(foreign);
    supervisor.watchProcess(sleeper.pid!);
    supervisor.forgetProcess(sleeper.pid!);
    supervisor.watchFolder(foreign);
    await supervisor.close();
    await supervisor.close();
    expect(await awaitGone([supervisor.pid])).toEqual([]);
    expect(running([sleeper.pid!])).toEqual([sleeper.pid]);
    expect(existsSync(foreign)).toBe(true);
  });

  test("does not keep a laboratory running that has nothing to do any more", async () => {
    const script = `
      const { Supervisor } = await import(process.argv[1]);
      console.log((await Supervisor.start()).pid);`;
    const file = join(packageRoot(), "dist/harness/backends/real/supervisor/supervisor.js");
    const { stdout } = await promisify(execFile)(
      process.execPath,
      ["--input-type=module", "-e", script, pathToFileURL(file).href],
      { timeout: 10_000 },
    );
    expect(await awaitGone([Number(stdout)])).toEqual([]);
  });
});

describe("createRunFolder", () => {
  const nobody = { watchFolder: () => undefined, forgetFolder: () => undefined };

  test("in a folder that cannot be written says what to do", async () => {
    await expect(createRunFolder(nobody, "/proc")).rejects.toThrow(
      "No temporary folder can be made in /proc; set TMPDIR to a folder that you can write.",
    );
  });

  test("is gone after remove, and remove is harmless when repeated", async () => {
    const folder = await createRunFolder(nobody, await rig.folder());
    await mkdir(join(folder.path, "A"));
    await folder.remove();
    await folder.remove();
    expect(existsSync(folder.path)).toBe(false);
  });
});

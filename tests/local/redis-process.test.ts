import { readFile, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { processStartTime } from "../../harness/backends/real/supervisor/process-identity.ts";
import { InfrastructureError } from "../../harness/lab-error.ts";
import { redisServer, shim, tookMs, useRig, within } from "./lab-rig.fixture.ts";

const rig = useRig();

describe("a redis-server that cannot start", () => {
  const message = async (start: Promise<unknown>) => {
    const error = await start.then(
      () => undefined,
      (reason: unknown) => reason,
    );
    expect(error).toBeInstanceOf(InfrastructureError);
    const text = (error as Error).message;
    expect(text).toMatch(/^[^\n]+\.$/);
    return text;
  };

  test("because its port is taken says so", async () => {
    const node = await rig.node();
    const server = createServer().listen(node.port, "127.0.0.1");
    rig.onClose(() => server.close());
    expect(await message(node.start())).toMatch(
      `did not start on port ${node.port}: Failed listening on port`,
    );
    expect(node.isRunning).toBe(false);
  });

  test("because another Redis has its port is not taken for it", async () => {
    const first = await rig.startedNode();
    const second = await rig.node({ port: first.port });
    expect(await message(second.start())).toMatch("Failed listening on port");
  });

  test("because there is no such program says which", async () => {
    const node = await rig.node({ program: "/no/such/redis-server" });
    expect(await message(node.start())).toMatch(/\/no\/such\/redis-server\) did not start .*ENOENT/);
  });

  test("because the program is another one says how it ended", async () => {
    const node = await rig.node({ program: "/bin/false" });
    expect(await message(node.start())).toMatch("it ended with exit code 1");
  });

  test("because the shim's cell is not there says so", async () => {
    const node = await rig.node();
    await writeFile(node.clockControl!.path, "");
    expect(await message(node.start())).toMatch("did not start");
  });
});

describe("a redis-server that runs", () => {
  test("is found by its label, in a process group of its own", async () => {
    const node = await rig.startedNode({ runLabel: "label-7" });
    const environment = await readFile(`/proc/${String(node.pid)}/environ`, "latin1");
    expect(environment.split("\0")).toContain("REDLOCK_LAB_RUN=label-7");
    const stat = await readFile(`/proc/${String(node.pid)}/stat`, "utf8");
    expect(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[2]).toBe(String(node.pid));
  });

  test("is killed and comes back on its port", async () => {
    const node = await rig.startedNode();
    const firstPid = node.pid!;
    await node.kill();
    expect(processStartTime(firstPid)).toBeUndefined();
    expect(node.isRunning).toBe(false);
    await node.start();
    expect(node.pid).not.toBe(firstPid);
  });

  test("does what it was asked while it stood still once it goes on", async () => {
    const node = await rig.startedNode();
    const redis = await rig.client(node.port);
    node.stall();
    const set = redis.set("k", "v", "PX", 5_000, "NX");
    expect(await within(150, set)).toBe("silence");
    node.resume();
    expect(await set).toBe("OK");
  });

  test("is stopped while it stands still, twice", async () => {
    const node = await rig.startedNode();
    node.stall();
    const pid = node.pid!;
    await node.stop();
    await node.stop();
    await node.kill();
    expect(processStartTime(pid)).toBeUndefined();
  });

  test("that ends by itself is noticed", async () => {
    const node = await rig.startedNode();
    process.kill(node.pid!, "SIGTERM");
    for (let poll = 0; poll < 200 && node.isRunning; poll++) await delay(10);
    expect(node.isRunning).toBe(false);
  });

  test("five start together in a second or so", async () => {
    await Promise.all([shim(), redisServer()]);
    const nodes = await Promise.all(Array.from({ length: 5 }, () => rig.node()));
    expect(await tookMs(() => Promise.all(nodes.map((node) => node.start())))).toBeLessThan(5_000);
  });
});

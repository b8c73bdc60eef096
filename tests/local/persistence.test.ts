import { setTimeout as delay } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import type { RedisProcess } from "../../harness/backends/local/redis-process.ts";
import type { Persistence } from "../../harness/scenario/lab-settings.ts";
import { useRig } from "./lab-rig.fixture.ts";

const rig = useRig();
const POLLS_MAX = 400;

async function startNode(persistence: Persistence) {
  const node = await rig.startedNode({ persistence });
  return { node, redis: await rig.client(node.port) };
}

/** All keys after the node has gone down that way and come back. */
async function keysAfter(node: RedisProcess, goDown: () => Promise<unknown>): Promise<readonly string[]> {
  await goDown();
  await node.start();
  const redis = await rig.client(node.port);
  return (await redis.keys("*")).sort();
}

/** Waits until a sync that began after this call has completed. */
async function awaitSync(node: RedisProcess): Promise<void> {
  const bytes = node.clockControl!.syncedLength()?.bytes ?? 0;
  for (let poll = 0; poll < POLLS_MAX; poll++) {
    if ((node.clockControl!.syncedLength()?.bytes ?? 0) > bytes) return;
    await delay(5);
  }
  throw new Error("no sync has completed");
}

describe("SIGKILL", () => {
  test("without an append-only file forgets everything", async () => {
    const { node, redis } = await startNode("none");
    await redis.set("k", "v");
    expect(await keysAfter(node, () => node.kill())).toEqual([]);
  });

  test.each(["aof-everysec", "aof-always"] as const)("with %s forgets nothing", async (persistence) => {
    const { node, redis } = await startNode(persistence);
    await redis.set("k", "v");
    expect(await keysAfter(node, () => node.kill())).toEqual(["k"]);
  });
});

describe("the loss of power", () => {
  test("under aof-always loses nothing that was acknowledged, also while syncs are held back", async () => {
    const { node, redis } = await startNode("aof-always");
    node.clockControl!.holdSync(true);
    await redis.set("k", "v");
    expect(await keysAfter(node, () => node.losePower())).toEqual(["k"]);
  });

  test("under aof-everysec loses what was written while syncs are held back, and only that", async () => {
    const { node, redis } = await startNode("aof-everysec");
    await redis.set("before", "v");
    await awaitSync(node);
    node.clockControl!.holdSync(true);
    await redis.set("after", "v");
    await delay(1_200);
    expect(await keysAfter(node, () => node.losePower())).toEqual(["before"]);
  });

  test("keeps what a life before the last one had synced", async () => {
    const { node, redis } = await startNode("aof-everysec");
    await redis.set("before", "v");
    await awaitSync(node);
    node.clockControl!.holdSync(true);
    expect(await keysAfter(node, () => node.losePower())).toEqual(["before"]);
    const again = await rig.client(node.port);
    await again.set("after", "v");
    expect(await keysAfter(node, () => node.losePower())).toEqual(["before"]);
  });

  test("follows the file when a rewrite begins another", async () => {
    const { node, redis } = await startNode("aof-everysec");
    await redis.set("before", "v");
    await redis.bgrewriteaof();
    for (let poll = 0; poll < POLLS_MAX; poll++) {
      if ((await redis.info("persistence")).includes("aof_rewrite_in_progress:0")) break;
      await delay(5);
    }
    await redis.set("between", "v");
    await awaitSync(node);
    expect(node.clockControl!.syncedLength()?.fileSequence).toBeGreaterThan(1);
    node.clockControl!.holdSync(true);
    await redis.set("after", "v");
    expect(await keysAfter(node, () => node.losePower())).toEqual(["before", "between"]);
  });

  test("needs the shim where there is a file to cut", async () => {
    const node = await rig.node({ persistence: "aof-everysec", shimPath: undefined as unknown as string });
    await node.start();
    await expect(node.losePower()).rejects.toThrow("Node A cannot lose power: that needs the clock shim.");
  });
});

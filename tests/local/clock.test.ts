import { setTimeout as delay } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { shownAt } from "../../harness/backends/real/clock/node-clock.ts";
import type { RedisProcess } from "../../harness/backends/local/redis-process.ts";
import { useRig } from "./lab-rig.fixture.ts";

const rig = useRig();

async function startNode() {
  const node = await rig.startedNode();
  const control = node.clockControl!;
  return { node, control, redis: await rig.client(node.port) };
}

/** How far the time that the server tells is from the time that the lab computes, in milliseconds. */
async function clockErrorMs(
  node: RedisProcess,
  redis: Awaited<ReturnType<typeof rig.client>>,
): Promise<number> {
  const beforeNs = process.hrtime.bigint();
  const [seconds, micros] = await redis.time();
  const afterNs = process.hrtime.bigint();
  const shownMs = Number(seconds) * 1_000 + Number(micros) / 1_000;
  const expectedMs = [beforeNs, afterNs].map((at) => Number(shownAt(node.clock, at)) / 1e6);
  return Math.max(0, expectedMs[0]! - shownMs, shownMs - expectedMs[1]!);
}

describe("the wall clock of a node", () => {
  test("a step forward makes a key vanish at once", async () => {
    const { control, redis } = await startNode();
    await redis.set("k", "v", "PX", 10_000);
    control.jump(9_000);
    expect(await redis.pttl("k")).toBeLessThanOrEqual(1_000);
    control.jump(2_000);
    expect(await redis.get("k")).toBeNull();
  });

  test("a step back lengthens a key's life by exactly as much", async () => {
    const { control, redis } = await startNode();
    await redis.set("k", "v", "PX", 1_000);
    control.jump(-5_000);
    const leftMs = await redis.pttl("k");
    expect(leftMs).toBeGreaterThan(5_900);
    expect(leftMs).toBeLessThanOrEqual(6_000);
  });

  test.each([1.2, 0.8])("at the rate %d it is where the lab computes it to be", async (rate) => {
    const { node, control, redis } = await startNode();
    control.setRate(rate);
    const startedNs = process.hrtime.bigint();
    const [startSeconds, startMicros] = await redis.time();
    await delay(500);
    const [seconds, micros] = await redis.time();
    const passedMs = Number(process.hrtime.bigint() - startedNs) / 1e6;
    const shownMs =
      (Number(seconds) - Number(startSeconds)) * 1e3 + (Number(micros) - Number(startMicros)) / 1e3;
    expect(Math.abs(shownMs - passedMs * rate)).toBeLessThan(5);
    // Microseconds are all that the server tells.
    expect(await clockErrorMs(node, redis)).toBeLessThan(0.002);
  });

  test("survives a restart of the server", async () => {
    const { node, control } = await startNode();
    control.jump(60_000);
    await node.kill();
    await node.start();
    expect(await clockErrorMs(node, await rig.client(node.port))).toBeLessThan(0.002);
  });
});

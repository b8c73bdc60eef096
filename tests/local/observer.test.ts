import { setTimeout as delay } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { NodeObserver } from "../../harness/backends/real/observer/node-observer.ts";
import type { KeyEvent } from "../../harness/backends/real/observer/key-ledger.ts";
import type { RedisProcessOptions } from "../../harness/backends/local/redis-process.ts";
import { DELETE_SCRIPT, EXTEND_SCRIPT } from "../../src/redis/scripts.ts";
import { useRig } from "./lab-rig.fixture.ts";

const rig = useRig();

type Stamped = KeyEvent & { readonly atMs: number };

async function watchNode(options: Partial<RedisProcessOptions> = {}) {
  const node = await rig.startedNode(options);
  const originNs = process.hrtime.bigint();
  const events: Stamped[] = [];
  const observer = new NodeObserver({
    node: "A",
    port: node.port,
    clockOf: () => node.clock,
    originNs,
    isObserved: (key) => !key.startsWith("lab:"),
    onEvent: (event, atMs) => events.push({ ...event, atMs }),
  });
  rig.onClose(() => observer.close());
  await observer.watch();
  const nowMs = () => Number(process.hrtime.bigint() - originNs) / 1e6;
  return { node, observer, events, nowMs, redis: await rig.client(node.port) };
}

const onA = { node: "A", resource: "orders" };

describe("NodeObserver", () => {
  test("tells what the coordinator's commands have done, and only that", async () => {
    const { observer, events, redis } = await watchNode();
    await redis.set("orders", "v1", "PX", 1_000, "NX");
    await redis.set("orders", "v2", "PX", 1_000, "NX");
    await redis.set("lab:warm-up", "v3", "PX", 1_000, "NX");
    await redis.eval(EXTEND_SCRIPT, 1, "orders", "v1", 2_000);
    await redis.eval(EXTEND_SCRIPT, 1, "orders", "v1", 500);
    await redis.eval(DELETE_SCRIPT, 1, "orders", "v2");
    await redis.eval(DELETE_SCRIPT, 1, "orders", "v1");
    expect(await observer.catchUp()).toBe(true);
    expect(events.map(({ atMs: _atMs, ...event }) => event)).toEqual([
      { kind: "key-set", ...onA, value: "v1", expiresInMs: 1_000, cause: "command" },
      { kind: "key-raised", ...onA, value: "v1", claimedValue: "v1", expiresInMs: 2_000 },
      { kind: "key-deleted", ...onA, value: "v1", claimedValue: "v1", cause: "command" },
    ]);
  });

  test("sees a grant on the very millisecond at which the old key expires", async () => {
    const { observer, events, redis } = await watchNode();
    let grants = 0;
    for (let round = 0; round < 400; round++) {
      grants += (await redis.set("orders", `v${round}`, "PX", 1, "NX")) === "OK" ? 1 : 0;
    }
    await observer.catchUp();
    expect(events.filter(({ kind }) => kind === "key-set")).toHaveLength(grants);
  });

  test("tells a flush, a plain delete and an eviction apart", async () => {
    const { observer, events, redis } = await watchNode();
    await redis.set("orders", "v1");
    await redis.flushall();
    await redis.set("orders", "v2");
    await redis.del("orders");
    await redis.set("orders", "v3", "PX", 60_000);
    await redis.config("SET", "maxmemory-policy", "allkeys-lru");
    await redis.config("SET", "maxmemory", "1");
    await redis.set("lab:pressure", "1").catch(() => undefined);
    await observer.catchUp();
    expect(events.filter(({ kind }) => kind === "key-deleted")).toMatchObject([
      { value: "v1", cause: "flushed" },
      { value: "v2", cause: "command" },
      { value: "v3", cause: "evicted" },
    ]);
  });

  test("finds after a restart what has survived it", async () => {
    const { node, observer, events, redis } = await watchNode({ persistence: "aof-always" });
    await redis.set("orders", "v1", "PX", 60_000, "NX");
    await observer.catchUp();
    await node.kill();
    await node.start();
    await observer.watch();
    expect(events.map(({ kind }) => kind)).toEqual(["key-set", "key-set"]);
    expect(events[1]).toMatchObject({ value: "v1", cause: "recovered" });
    expect((events[1] as { expiresInMs: number }).expiresInMs).toBeGreaterThan(55_000);
    expect(await observer.findKeys()).toMatchObject([{ resource: "orders", value: "v1" }]);
  });

  test("says that it is not watching when the node has gone or stands still", async () => {
    const { node, observer } = await watchNode();
    node.stall();
    expect(await observer.catchUp()).toBe(false);
    await expect(observer.findKeys()).rejects.toThrow("Node A on port");
    await node.kill();
    await delay(50);
    expect(observer.isWatching).toBe(false);
    expect(await observer.catchUp()).toBe(false);
  });

  test.each([
    ["that was not moved", undefined],
    ["that was stepped back", -3_000],
    ["that was stepped forward", 7_000],
  ])("stamps lie within the command's round trip, on a clock %s", async (_name, byMs) => {
    const { node, observer, events, redis, nowMs } = await watchNode();
    if (byMs !== undefined) node.clockControl!.jump(byMs);
    node.clockControl!.setRate(1.1);
    const spans: [number, number][] = [];
    for (let round = 0; round < 200; round++) {
      const fromMs = nowMs();
      await redis.set("orders", `v${round}`, "PX", 1_000);
      spans.push([fromMs, nowMs()]);
    }
    await observer.catchUp();
    const errors = events.map(({ atMs }, round) => {
      const [fromMs, toMs] = spans[round]!;
      return Math.max(0, fromMs - atMs, atMs - toMs);
    });
    expect(errors).toHaveLength(200);
    // The server tells whole microseconds.
    expect(Math.max(...errors)).toBeLessThan(0.002);
  });
});

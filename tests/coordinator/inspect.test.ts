/** Who holds what, as real servers show it. */
import { afterEach, describe, expect, test } from "vitest";
import { createNodes, Redlock, type RedlockOptions } from "../../src/index.ts";
import { type Cluster, codeOf, openCluster } from "../peers/cluster.fixture.ts";

let cluster: Cluster;

afterEach(async () => {
  await cluster.close();
});

describe("inspect", () => {
  test("shows who holds a resource, on which nodes, and for how long; then that it is free (peers 71)", async () => {
    cluster = await openCluster(5);
    const { redlock } = cluster;
    const lock = await redlock.acquire("orders", 10_000);
    await expect.poll(() => lock.votes.every(({ kind }) => kind === "granted")).toBe(true);
    const held = await (await cluster.client()).inspect("orders");
    expect(held).toMatchObject({ resource: "orders", state: "held", value: lock.value, nodeCount: 5 });
    expect(held.leftMs).toBeGreaterThan(5000);
    expect(held.leftMs).toBeLessThanOrEqual(10_000);
    expect(held.nodes.map(({ node, kind }) => `${node} ${kind}`)).toEqual([
      ...["A found", "B found", "C found", "D found", "E found"],
    ]);
    await lock.release();
    await expect
      .poll(async () => (await redlock.inspect("orders")).nodes.map(({ kind }) => kind))
      .toEqual([...["missing", "missing", "missing", "missing", "missing"]]);
    expect(await redlock.inspect("orders")).toMatchObject({ state: "free", value: undefined, nodeCount: 0 });
  });

  test("a frozen node, a dead one, and a key that is no lock are each told of, within the limit", async () => {
    cluster = await openCluster(5);
    const { redlock } = cluster;
    cluster.server("B").stall();
    await cluster.server("C").kill();
    await cluster.ask("D", "LPUSH", "orders", "x");
    const { state, nodes } = await redlock.inspect("orders", { limitMs: 100 });
    expect(state).toBe("unknown");
    expect(nodes).toEqual([
      { kind: "missing", node: "A" },
      { kind: "unknown", node: "B", cause: "no answer yet" },
      { kind: "unknown", node: "C", cause: expect.any(String) as string },
      { kind: "unknown", node: "D", cause: expect.stringContaining("WRONGTYPE") as string },
      { kind: "missing", node: "E" },
    ]);
    cluster.server("B").resume();
  });

  test("looks under the key prefix of each node, and asks as soon as there is a connection", async () => {
    cluster = await openCluster(3);
    const options: RedlockOptions = { restartGuard: { firstUse: "trust" } };
    await using mine = new Redlock(createNodes(cluster.urls, { keyPrefix: "shop:" }), options);
    expect(await mine.inspect("orders")).toMatchObject({ state: "free" });
    const lock = await mine.acquire("orders", 5000, { waitMs: 1000 });
    expect(await mine.inspect("orders")).toMatchObject({ state: "held", value: lock.value });
    expect(await cluster.redlock.inspect("orders")).toMatchObject({ state: "free" });
    expect(await cluster.redlock.inspect("shop:orders")).toMatchObject({ state: "held", value: lock.value });
    await lock.release();
  });

  test("bad arguments are misuse; a closed coordinator looks and asks no more", async () => {
    cluster = await openCluster(1);
    const { redlock } = cluster;
    expect(await codeOf(redlock.inspect(""))).toBe("misuse");
    expect(await codeOf(redlock.inspect(["a", "b"] as unknown as string))).toBe("misuse");
    expect(await codeOf(redlock.inspect("orders", { limitMs: 0.5 }))).toBe("misuse");
    expect(await codeOf(redlock.inspect("orders", { limit: 5 } as object))).toBe("misuse");
    expect(await codeOf(redlock.probe({ limitMs: -1 }))).toBe("misuse");
    await redlock.close();
    expect(await codeOf(redlock.inspect("orders"))).toBe("aborted");
    expect(await codeOf(redlock.probe())).toBe("aborted");
  });
});

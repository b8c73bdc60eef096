/** What is told of nodes that go and come back, on real servers. */
import { afterEach, describe, expect, test } from "vitest";
import { createNodes, Redlock, type RedlockEvent } from "../../src/index.ts";
import { type Cluster, openCluster } from "../peers/cluster.fixture.ts";

let cluster: Cluster;
let events: RedlockEvent[];

afterEach(async () => {
  await cluster.close();
});

async function open(): Promise<void> {
  cluster = await openCluster(3);
  events = [];
  cluster.redlock.observe((event) => events.push(event));
}

const told = () => events.filter(({ kind }) => kind === "node-away" || kind === "node-back");

describe("observers", () => {
  test("are told once that a node is away, however often it is dialled, and once that it is back", async () => {
    await open();
    await cluster.server("C").kill();
    await expect.poll(told).toEqual([{ kind: "node-away", node: "C", cause: "the connection was closed" }]);
    for (let count = 0; count < 3; count++) {
      const lock = await cluster.redlock.acquire("orders", 1000);
      await expect.poll(() => lock.votes.find(({ node }) => node === "C")).toMatchObject({ kind: "unknown" });
      await lock.release();
    }
    expect(told()).toHaveLength(1);
    await cluster.server("C").start();
    await expect.poll(() => told().at(-1)).toEqual({ kind: "node-back", node: "C" });
    expect(told()).toHaveLength(2);
  });

  test("are told of a node that was away from the beginning, and why", async () => {
    cluster = await openCluster(3);
    await cluster.server("B").kill();
    const redlock = new Redlock(createNodes(cluster.urls));
    events = [];
    redlock.observe((event) => events.push(event));
    await expect.poll(told).toMatchObject([{ kind: "node-away", node: "B" }]);
    expect(told()).toMatchObject([{ cause: expect.stringContaining("ECONNREFUSED") }]);
    await redlock.close();
  });

  test("are told nothing of nodes that are closed", async () => {
    await open();
    await cluster.redlock.close();
    expect(told()).toEqual([]);
  });
});

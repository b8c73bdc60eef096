/** What befalls nodes, links and the resource beyond crashes and clocks, on real servers. */
import { describe, expect, test } from "vitest";
import { after } from "../../harness/scenario/story-parts.ts";
import { onceGranted, playOnServers } from "./play.fixture.ts";

const ON_A = { node: "A" } as const;
const LINKS = { workers: ["W1"], nodes: ["A", "B", "C", "D", "E"] };

describe("somebody who is no worker", () => {
  test("empties a node, deletes a key by hand, and makes a node forget its scripts", async () => {
    const { all } = await playOnServers({
      faults: [
        onceGranted({ kind: "flush-node", node: "A" }),
        onceGranted({ kind: "delete-key", node: "B", resource: "orders" }),
        onceGranted({ kind: "flush-scripts", node: "C" }),
      ],
    });
    const [granted] = all("acquire-granted");
    const ended = all("key-deleted").map(({ node, value, claimedValue, cause }) => ({
      ...{ node, cause, claimed: claimedValue, isOfW1: value === granted?.value },
    }));

    expect(all("fault-applied")).toHaveLength(3);
    expect(ended).toContainEqual({ node: "A", cause: "flushed", claimed: undefined, isOfW1: true });
    expect(ended).toContainEqual({ node: "B", cause: "command", claimed: undefined, isOfW1: true });
    // The release reaches C although its scripts are gone, and the two nodes without the key say so.
    expect(ended).toContainEqual({ node: "C", cause: "command", claimed: granted?.value, isOfW1: true });
    expect(all("key-found")).toEqual([]);
  });

  test.each(["none", "aof-always"] as const)(
    "puts an empty server in the place of a node that kept its keys by %s",
    async (persistence) => {
      const { all } = await playOnServers({
        settings: { persistence },
        faults: [onceGranted({ kind: "exchange-node", ...ON_A })],
      });

      expect(all("node-down")).toMatchObject([{ ...ON_A, cause: "killed" }]);
      expect(all("node-up")).toMatchObject([ON_A]);
      expect(all("key-set").filter(({ cause }) => cause === "recovered")).toEqual([]);
      expect(all("key-deleted").some(({ node }) => node === "A")).toBe(false);
      expect(all("worker-finished")).toHaveLength(1);
    },
  );
});

describe("a node that goes down and comes back", () => {
  test("may be emptied and exchanged at any moment meanwhile", async () => {
    const emptied = [0, 3, 10, 30, 60, 90].map((delayMs) => ({
      ...{ id: `empty-${delayMs}`, fault: { kind: "flush-node", ...ON_A } as const },
      when: after({ kind: "acquire-granted", worker: "W1" }, delayMs),
    }));
    const { all } = await playOnServers({
      workers: [{ id: "W1", workMs: 300 }],
      faults: [
        onceGranted({ kind: "crash-node", ...ON_A, downForMs: 20 }),
        onceGranted({ kind: "exchange-node", ...ON_A }),
        ...emptied,
      ],
    });

    expect(all("fault-applied")).toHaveLength(8);
    expect(all("node-down").length).toBe(all("node-up").length);
    expect(all("worker-finished")).toHaveLength(1);
  });
});

describe("a reset of all links", () => {
  test("costs connections and no lock: the next commands go over new ones", async () => {
    const { all } = await playOnServers({
      workers: [{ id: "W1", workMs: 400, extendMs: 1000 }],
      faults: [onceGranted({ kind: "reset-link", ...LINKS }, "reset")],
    });

    expect(all("fault-applied")).toMatchObject([{ fault: "reset", ...LINKS }]);
    expect(all("fault-healed")).toMatchObject([{ fault: "reset" }]);
    expect(all("extend-granted")).toHaveLength(1);
    expect(new Set(all("key-raised").map(({ node }) => node))).toEqual(new Set(LINKS.nodes));
    expect(all("release-returned")).toMatchObject([{ outcome: "released" }]);
    expect(all("key-found")).toEqual([]);
  });
});

describe("the protected resource", () => {
  test("is slow for one worker until it is healed, and judges what arrives when it arrives", async () => {
    const { all } = await playOnServers({
      workers: [{ id: "W1", workMs: 50, acquireCount: 2, grantsMax: 2 }],
      faults: [onceGranted({ kind: "slow-resource", worker: "W1", latencyMs: 200, forMs: 150 }, "slow")],
    });
    const tookMs = all("write-judged").map(
      ({ write, atMs }) =>
        atMs - (all("write-invoked").find((invoked) => invoked.write === write)?.atMs ?? Number.NaN),
    );

    expect(tookMs).toHaveLength(2);
    expect(tookMs[0]).toBeGreaterThanOrEqual(195);
    expect(tookMs[1]).toBeLessThan(150);
  });

  test("is read before it is written to, and tells what each write was based on", async () => {
    const reads = { readsFirst: true, workMs: 20 };
    const { all } = await playOnServers({
      workers: [
        { id: "W1", ...reads },
        { id: "W2", ...reads, startWhen: after({ kind: "worker-finished", worker: "W1" }) },
      ],
    });

    expect(all("read-judged")).toMatchObject([
      { worker: "W1", accepted: true, saw: null },
      { worker: "W2", accepted: true, saw: "W1/1.1" },
    ]);
    expect(all("write-judged")).toMatchObject([
      { worker: "W1", accepted: true, basedOn: null },
      { worker: "W2", accepted: true, basedOn: "W1/1.1" },
    ]);
  });

  test("refuses the write of a worker whose stamp is gone", async () => {
    const { all } = await playOnServers({
      workers: [
        { id: "W1", stampsFirst: true, workMs: 500 },
        {
          ...{ id: "W2", resource: "orders", stampsFirst: true, waitMs: 3000, workMs: 0 },
          startWhen: after({ kind: "fault-applied", fault: "loss-a" }),
        },
      ],
      faults: ["A", "B", "C"].map((node) =>
        onceGranted({ kind: "delete-key", node, resource: "orders" }, `loss-${node.toLowerCase()}`),
      ),
    });

    expect(all("write-judged")).toMatchObject([
      { worker: "W2", accepted: true },
      { worker: "W1", accepted: false },
    ]);
  });
});

describe("workers with memberships of their own", () => {
  test("know their own nodes only, by the names that all have for them", async () => {
    const { all } = await playOnServers({ workers: [{ id: "W1", membership: ["C", "D", "E"] }] });

    expect(all("acquire-granted")[0]?.votes.map(({ node }) => node)).toEqual(["C", "D", "E"]);
    expect(new Set(all("key-set").map(({ node }) => node))).toEqual(new Set(["C", "D", "E"]));
  });
});

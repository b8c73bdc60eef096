import { describe, expect, test } from "vitest";
import type { Fault } from "../../faults/fault.ts";
import { acquireOf, virtualRig, type RigOptions } from "./virtual-rig.fixture.ts";

type Meddling = Parameters<ReturnType<typeof virtualRig>["node"]["meddle"]>[0];

const FLUSH: Meddling = { kind: "flush-node", node: "A" };
const EVICT: Meddling = { kind: "evict-key", node: "A", resource: "orders" };
const DELETE: Meddling = { kind: "delete-key", node: "A", resource: "orders" };

/** A node on which `orders` has been taken at 10 by the value v1. */
function taken(options: RigOptions = {}) {
  const rig = virtualRig(options);
  const { link } = rig.worker("W1");
  rig.send(link, acquireOf("v1"), "first");
  rig.playTo(10);
  rig.events.length = 0;
  const rival = (atMs: number, command = acquireOf("v2")): void =>
    rig.at(atMs, () => rig.send(link, command, "rival"));
  const rivalGot = (): string | undefined => rig.answers.find(({ name }) => name === "rival")?.reply.kind;
  return { ...rig, link, rival, rivalGot };
}

describe("VirtualNode: somebody else", () => {
  test.each([
    [FLUSH, "20 key-deleted A orders v1 flushed"],
    [EVICT, "20 key-deleted A orders v1 evicted"],
    [DELETE, "20 key-deleted A orders v1 command"],
  ])("%o takes the key away, and it says how", (fault, expected) => {
    const { node, events, at, rival, rivalGot, playTo } = taken();
    at(20, () => node.meddle(fault));
    rival(30);
    playTo(25);
    expect(events).toEqual([expected]);

    playTo(50);
    expect(rivalGot()).toBe("granted");
  });

  test("whoever empties a node empties its counters too", () => {
    const { node, link, send, answers, at, playTo } = taken();
    for (const atMs of [20, 60])
      at(atMs, () => send(link, { kind: "increment", resource: "orders" }, "count"));
    at(40, () => node.meddle(FLUSH));
    playTo(100);

    const counted = answers.filter(({ name }) => name === "count").map(({ reply }) => reply);
    expect(counted).toEqual([
      { kind: "counted", count: 1 },
      { kind: "counted", count: 1 },
    ]);
  });

  test("a node whose scripts are flushed does not know them any more", () => {
    const { node, server, link, send, at, playTo } = taken();
    const script = { kind: "delete", resource: "orders", value: "v2" } as const;
    at(20, () => send(link, script));
    playTo(30);
    expect(server.answer({ kind: "call-cached", script })).not.toMatchObject({ kind: "failure" });

    node.meddle({ kind: "flush-scripts", node: "A" });
    expect(server.answer({ kind: "call-cached", script })).toMatchObject({ kind: "failure" });
  });

  test("a node that stands still does it when it goes on, in its turn; one that is down never does", () => {
    const stalled = taken();
    stalled.at(20, () => stalled.node.stall());
    stalled.at(25, () => stalled.node.meddle(DELETE));
    stalled.rival(30);
    stalled.at(100, () => stalled.node.resume());
    stalled.playTo(200);
    expect(stalled.events.map((event) => event.replace(/v\d.*/, ""))).toEqual([
      "20 node-stalled A",
      "100 node-resumed A",
      "100 key-deleted A orders ",
      "100 key-set A orders ",
    ]);

    const down = taken({ persistence: "aof-always" });
    down.at(20, () => down.node.goDown("killed"));
    down.at(25, () => down.node.meddle(DELETE));
    down.at(30, () => down.node.comeUp());
    down.playTo(200);
    expect(down.events.some((event) => event.includes("key-deleted"))).toBe(false);
  });
});

describe("VirtualNode: another server in its place", () => {
  test.each(["none", "aof-everysec", "aof-always"] as const)(
    "an exchanged node is empty whatever it kept (%s), and ends the connections",
    (persistence) => {
      const { node, link, events, at, rival, rivalGot, playTo } = taken({ persistence });
      at(20, () => node.exchange());
      playTo(25);
      expect(events).toEqual(["20 node-down A killed", "20 node-up A"]);
      expect(link.isConnected).toBe(false);

      rival(100);
      playTo(150);
      expect(rivalGot()).toBe("granted");
    },
  );

  test("what an exchanged node loses with its power is its own, not that of the server before it", () => {
    const { node, events, at, playTo } = taken({ persistence: "aof-everysec" });
    at(2000, () => node.exchange());
    at(2100, () => node.goDown("power-loss"));
    at(2200, () => node.comeUp());
    playTo(2300);

    expect(events.filter((event) => event.includes("key-set"))).toEqual([]);
  });

  test("a fail-over to a replica that has the key keeps the lock", () => {
    const { node, events, at, rival, rivalGot, playTo } = taken({ replicaCount: 1 });
    at(20, () => node.failOver(undefined));
    rival(100);
    playTo(150);

    expect(events.slice(0, 3)).toEqual([
      "20 node-down A killed",
      "20 node-up A",
      "20 key-set A orders v1 recovered",
    ]);
    expect(rivalGot()).toBe("refused");
  });

  test("a fail-over to a replica that was behind loses it", () => {
    const { node, at, link, send, answers, playTo, rival, rivalGot } = taken({ replicaCount: 2 });
    at(20, () => node.holdReplication(2, true));
    at(30, () => send(link, { kind: "acquire", resource: "invoices", value: "v3", ttlMs: 9000 }));
    at(50, () => node.failOver(2));
    rival(100, { kind: "acquire", resource: "invoices", value: "v4", ttlMs: 9000 });
    playTo(150);

    expect(answers.at(-1)?.reply.kind).toBe("granted");
    expect(rivalGot()).toBe("granted");
  });

  test("after the fail-over the remaining replica follows the new master", () => {
    const { node, at, rival, rivalGot, playTo } = taken({ replicaCount: 2 });
    at(20, () => node.failOver(1));
    at(100, () => node.failOver(2));
    rival(200);
    playTo(250);

    expect(rivalGot()).toBe("refused");
  });

  test("a master that restarts empty takes its replicas along", () => {
    const { node, at, rival, rivalGot, playTo } = taken({ replicaCount: 1 });
    at(20, () => node.goDown("killed"));
    at(30, () => node.comeUp());
    at(50, () => node.failOver(1));
    rival(150);
    playTo(200);

    expect(rivalGot()).toBe("granted");
  });
});

describe("VirtualNode: WAIT", () => {
  const waitFor = (replicaCount: number) =>
    ({ kind: "acquire-replicated", resource: "invoices", value: "v9", ttlMs: 9000, replicaCount }) as const;

  test("the grant is answered when the replicas have it, two ways later than a plain one", () => {
    const { link, send, answers, at, playTo } = taken({ replicaCount: 2 });
    at(20, () => send(link, waitFor(2)));
    playTo(100);

    const answer = answers.at(-1);
    expect(answer).toMatchObject({ reply: { kind: "granted" } });
    expect(answer?.atMs).toBeGreaterThanOrEqual(26);
  });

  test("it is never answered where too few replicas hear of it, though the key is set", () => {
    const { node, link, send, answers, events, at, playTo } = taken({ replicaCount: 1 });
    at(20, () => node.holdReplication(1, true));
    at(30, () => send(link, waitFor(1)));
    playTo(1000);

    expect(answers.map(({ name }) => name)).toEqual(["first"]);
    expect(events.at(-1)).toMatch(/key-set A invoices v9/);
  });

  test("a refusal waits for nobody", () => {
    const { link, send, answers, at, playTo } = taken({ replicaCount: 0 });
    at(20, () => send(link, { ...waitFor(1), resource: "orders" }));
    playTo(100);

    expect(answers.at(-1)).toMatchObject({ reply: { kind: "refused" } });
  });
});

describe("VirtualNode: a replica that is asked", () => {
  test("shows what it has been sent, late and stale as it may be, but nothing that has expired", () => {
    const { node, at, playTo } = taken({ replicaCount: 1 });
    const seen: (string | undefined)[] = [];
    at(20, () => {
      node.holdReplication(1, true);
      node.meddle(DELETE);
    });
    for (const atMs of [30, 10_100]) at(atMs, () => seen.push(node.findOnReplica("orders")));
    playTo(11_000);

    expect(seen).toEqual(["v1", undefined]);
  });
});

describe("VirtualNode: persistence", () => {
  const losing = (fault: Fault["kind"], persistence: RigOptions["persistence"]): string | undefined => {
    const { node, at, rival, rivalGot, playTo } = taken(persistence === undefined ? {} : { persistence });
    at(20, () => node.goDown(fault === "lose-power" ? "power-loss" : "killed"));
    at(30, () => node.comeUp());
    rival(150);
    playTo(200);
    return rivalGot();
  };

  test("a crash loses what is not in a file, a loss of power what is not on the disk", () => {
    expect(losing("crash-node", "none")).toBe("granted");
    expect(losing("crash-node", "aof-everysec")).toBe("refused");
    expect(losing("lose-power", "aof-always")).toBe("refused");
  });

  test("under everysec a loss of power takes what was written since the last sync", () => {
    const { node, link, send, at, rival, rivalGot, playTo } = taken({ persistence: "aof-everysec" });
    at(20, () => send(link, { kind: "acquire", resource: "invoices", value: "v3", ttlMs: 9000 }));
    at(40, () => node.goDown("power-loss"));
    at(50, () => node.comeUp());
    rival(150, { kind: "acquire", resource: "invoices", value: "v4", ttlMs: 9000 });
    playTo(200);

    expect(rivalGot()).toBe("granted");
  });
});

describe("VirtualNode: standing still", () => {
  test("a node that is down cannot be stopped, and is not said to be", () => {
    const { node, events, at, playTo } = taken();
    at(20, () => node.goDown("power-loss"));
    at(30, () => node.stall());
    at(40, () => node.resume());
    playTo(50);

    expect(events).toEqual(["20 node-down A power-loss"]);
  });

  test("a node that died while it stood still does not go on", () => {
    const { node, events, at, playTo } = taken();
    at(20, () => node.stall());
    at(30, () => node.goDown("killed"));
    at(40, () => node.resume());
    playTo(50);

    expect(events).toEqual(["20 node-stalled A", "30 node-down A killed"]);
  });
});

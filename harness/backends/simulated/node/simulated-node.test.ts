import { describe, expect, test } from "vitest";
import type { NodeEvent } from "../../../history/event.ts";
import type { Persistence } from "../../../scenario/lab-settings.ts";
import { SimulatedNode } from "./simulated-node.ts";

function started(persistence: Persistence = "none", wallStartMs = 100_000) {
  const events: NodeEvent[] = [];
  let nowMs = 0;
  const node = new SimulatedNode({
    name: "A",
    persistence,
    nowMs: () => nowMs,
    record: (event) => events.push(event),
    wallStartMs,
  });
  return {
    node,
    events,
    pass: (durationMs: number) => void (nowMs += durationMs),
    acquire: (resource: string, ttlMs = 60_000) =>
      node.execute({ kind: "acquire", resource, value: "v1", ttlMs }),
    resources: () => node.findKeys().map(({ resource }) => resource),
    info: (field: string) => {
      const text = node.answer({ kind: "info" });
      return typeof text === "string" ? new RegExp(`${field}:(.*)\r\n`).exec(text)?.[1] : undefined;
    },
  };
}

describe("what a restart keeps", () => {
  test.each([
    ["none", "killed", []],
    ["none", "power-loss", []],
    ["aof-everysec", "killed", ["synced", "late"]],
    ["aof-everysec", "power-loss", ["synced"]],
    ["aof-always", "power-loss", ["synced", "late"]],
  ] as const)("under %s when it was %s", (persistence, cause, kept) => {
    const { node, acquire, resources } = started(persistence);
    acquire("synced");
    acquire("late");
    node.goDown(cause);
    expect(resources()).toEqual([]);
    node.comeUp();
    expect(resources()).toEqual(kept);
  });

  test("is announced again, but for what has expired meanwhile", () => {
    const { node, events, acquire, pass } = started("aof-always");
    acquire("short", 10);
    acquire("long", 100);
    node.goDown("killed");
    pass(20);
    node.comeUp();
    const recovered = { kind: "key-set", node: "A", value: "v1", cause: "recovered" };
    expect(events.slice(2)).toEqual([
      { kind: "node-down", node: "A", cause: "killed" },
      { kind: "node-up", node: "A" },
      { ...recovered, resource: "long", expiresInMs: 80 },
    ]);
  });

  test("a loss of power takes what was not durable also from a node that is down already", () => {
    const { node, acquire, resources } = started("aof-everysec");
    acquire("synced");
    acquire("late");
    node.goDown("killed");
    node.goDown("power-loss");
    node.comeUp();
    expect(resources()).toEqual(["synced"]);
  });

  test("what expired before it does not come back, though the clock is set back while it is down", () => {
    const { node, acquire, pass, resources } = started("aof-always");
    acquire("orders", 10);
    pass(11);
    node.goDown("killed");
    node.jumpClock(-1_000);
    node.comeUp();
    expect(resources()).toEqual([]);
  });

  test("what expires while it is down is there again when the clock is set back before it starts", () => {
    const { node, acquire, pass, resources } = started("aof-always");
    acquire("orders", 10);
    node.goDown("killed");
    pass(50);
    node.jumpClock(-50);
    node.comeUp();
    expect(resources()).toEqual(["orders"]);
  });

  test("under everysec the removal of what expired was synced in its own second", () => {
    const { node, acquire, pass, resources } = started("aof-everysec");
    acquire("orders", 10);
    pass(2_000);
    acquire("stock");
    node.goDown("power-loss");
    node.jumpClock(-60_000);
    node.comeUp();
    expect(resources()).toEqual(["stock"]);
  });

  test("is an empty script cache and another run_id, and the uptime begins again", () => {
    const { node, pass, info } = started("aof-always");
    const script = { kind: "delete", resource: "orders", value: "v1" } as const;
    node.execute(script);
    const runId = info("run_id");
    pass(3_500);
    expect(info("uptime_in_seconds")).toBe("3");
    node.goDown("killed");
    node.comeUp();
    expect(info("run_id")).not.toBe(runId);
    expect(info("uptime_in_seconds")).toBe("0");
    expect(node.answer({ kind: "call-cached", script })).toMatchObject({ kind: "failure" });
  });
});

describe("the wall clock", () => {
  test("runs at its rate, and is stepped; TIME and the uptime follow", () => {
    const { node, pass, info } = started();
    node.setClockRate(1.5);
    pass(1_001);
    expect(node.answer({ kind: "time" })).toEqual(["101", "501500"]);
    node.jumpClock(-10_000);
    expect(node.answer({ kind: "time" })).toEqual(["91", "501500"]);
    expect(info("uptime_in_seconds")).toBe("-9");
  });

  test("decides when a key has expired", () => {
    const { node, acquire, pass, resources } = started();
    node.setClockRate(2);
    acquire("orders", 10);
    pass(5);
    expect(resources()).toEqual(["orders"]);
    pass(0.5);
    expect(resources()).toEqual([]);
  });

  test("a step forward and back takes what expired in between", () => {
    const { node, acquire, resources } = started();
    acquire("short", 10);
    acquire("long", 5_000);
    node.jumpClock(1_000);
    node.jumpClock(-1_000);
    expect(resources()).toEqual(["long"]);
  });

  test("may be moved while the node is down", () => {
    const { node, acquire, resources } = started("aof-always");
    acquire("orders", 10);
    node.goDown("killed");
    node.jumpClock(11);
    node.comeUp();
    expect(resources()).toEqual([]);
  });
});

describe("another server under the same name", () => {
  test("has the keys that it is given and nothing else, on a disk of its own", () => {
    const { node, acquire, resources } = started("aof-everysec");
    acquire("orders");
    node.giveWayTo(new Map([["stock", { value: "v1", expiresAtMs: Infinity }]]));
    expect(resources()).toEqual(["stock"]);
    node.goDown("power-loss");
    node.comeUp();
    expect(resources()).toEqual([]);
  });
});

test("a node that is down cannot be asked, and starting one that is up changes nothing", () => {
  const { node, events, acquire } = started();
  node.comeUp();
  expect(events).toEqual([]);
  node.goDown("killed");
  expect(() => acquire("orders")).toThrow("node A is down");
});

test("every write is told, with what is stored then", () => {
  const told: [string, unknown][] = [];
  const node = new SimulatedNode({
    name: "A",
    persistence: "none",
    nowMs: () => 0,
    record: () => undefined,
    onWrite: (resource, key) => told.push([resource, key]),
  });
  node.answer({ kind: "write", resource: "orders", value: "v1", ttlMs: 10 });
  node.answer({ kind: "remove", resource: "orders" });
  node.evict("orders");
  expect(told).toEqual([
    ["orders", { value: "v1", expiresAtMs: 10 }],
    ["orders", undefined],
  ]);
});

import { describe, expect, test } from "vitest";
import type { NodeEvent } from "../../../history/event.ts";
import { KeyCommands } from "./key-commands.ts";
import { KeySpace } from "./key-space.ts";

function commands() {
  const events: NodeEvent[] = [];
  const keys = new KeySpace(() => undefined);
  return {
    events,
    on: new KeyCommands("A", keys, { record: (event) => events.push(event), runId: () => "r1" }),
  };
}

const acquire = (value: string, ttlMs = 10) =>
  ({ kind: "acquire", resource: "orders", value, ttlMs }) as const;
const extend = (value: string, ttlMs: number) =>
  ({ kind: "extend", resource: "orders", value, ttlMs }) as const;
const remove = (value: string) => ({ kind: "delete", resource: "orders", value }) as const;
const write = (value: string, ttlMs?: number) =>
  ({ kind: "write", resource: "orders", value, ...(ttlMs === undefined ? {} : { ttlMs }) }) as const;

const NO_SCRIPT = { kind: "failure", message: "NOSCRIPT No matching script. Please use EVAL." };
const ON_A = { node: "A", resource: "orders" };

describe("acquire", () => {
  test("is granted once, until the key has expired", () => {
    const { on, events } = commands();
    expect(on.lock(acquire("v1"), 100)).toBe("OK");
    expect(on.lock(acquire("v2"), 110)).toBeNull();
    expect(on.lock(acquire("v2"), 111)).toBe("OK");
    expect(events).toEqual(
      ["v1", "v2"].map((value) => ({ ...ON_A, kind: "key-set", value, expiresInMs: 10, cause: "command" })),
    );
  });
});

describe("extend", () => {
  test("raises the lifetime of its own value, and never shortens it", () => {
    const { on, events } = commands();
    on.lock(acquire("v1", 10), 100);
    expect(on.lock(extend("v1", 10), 100)).toBe(1);
    expect(on.lock(extend("v1", 5), 100)).toBe(1);
    expect(on.lifetime("orders", 100)).toBe(10);
    expect(on.lock(extend("v1", 11), 100)).toBe(1);
    expect(on.lifetime("orders", 100)).toBe(11);
    expect(events.slice(1)).toEqual([
      { ...ON_A, kind: "key-raised", value: "v1", claimedValue: "v1", expiresInMs: 11 },
    ]);
  });

  test("reaches a key in the last millisecond of its life, and none after that", () => {
    const { on } = commands();
    on.lock(acquire("v1", 10), 100);
    expect(on.lock(extend("v1", 1), 110)).toBe(1);
    expect(on.lock(extend("v1", 5), 112)).toBe(0);
  });

  test("leaves a key without an expiry and somebody else's value alone", () => {
    const { on } = commands();
    on.write(write("v1"), 100);
    expect(on.lock(extend("v1", 5), 100)).toBe(1);
    expect(on.lock(extend("v2", 5), 100)).toBe(-1);
    expect(on.lifetime("orders", 100)).toBe(-1);
  });

  test("of another lock's kind shortens too", () => {
    const { on } = commands();
    on.lock(acquire("v1", 10), 100);
    expect(on.extendTo(extend("v1", 5), 100)).toBe(1);
    expect(on.lifetime("orders", 100)).toBe(5);
    expect(on.extendTo(extend("v2", 5), 100)).toBe(-1);
    expect(on.extendTo(extend("v1", 5), 200)).toBe(0);
  });
});

describe("delete", () => {
  test("touches its own value only", () => {
    const { on, events } = commands();
    expect(on.lock(remove("v1"), 100)).toBe(0);
    on.lock(acquire("v1"), 100);
    expect(on.lock(remove("v2"), 100)).toBe(-1);
    expect(on.lock(remove("v1"), 100)).toBe(1);
    expect(on.read("orders", 100)).toBeNull();
    expect(events.slice(1)).toEqual([
      { ...ON_A, kind: "key-deleted", value: "v1", claimedValue: "v1", cause: "command" },
    ]);
  });
});

describe("the script cache", () => {
  test("knows a script once it was sent whole, each by itself, until it is flushed", () => {
    const { on } = commands();
    expect(on.callCached(remove("v1"), 100)).toEqual(NO_SCRIPT);
    on.lock(remove("v1"), 100);
    expect(on.callCached(remove("v1"), 100)).toBe(0);
    expect(on.callCached(extend("v1", 5), 100)).toEqual(NO_SCRIPT);
    on.flushScripts();
    expect(on.callCached(remove("v1"), 100)).toEqual(NO_SCRIPT);
  });
});

describe("a stranger", () => {
  test("overwrites without asking, with and without an expiry", () => {
    const { on } = commands();
    on.lock(acquire("v1"), 100);
    expect(on.write(write("v2"), 100)).toBe("OK");
    expect([on.read("orders", 100), on.lifetime("orders", 100)]).toEqual(["v2", -1]);
    on.write(write("v3", 7), 100);
    expect([on.read("orders", 100), on.lifetime("orders", 105)]).toEqual(["v3", 2]);
  });

  test("removes whatever is there, and names no value", () => {
    const { on, events } = commands();
    expect(on.remove("orders", 100)).toBe(0);
    on.lock(acquire("v1"), 100);
    expect(on.remove("orders", 100)).toBe(1);
    expect(on.lifetime("orders", 100)).toBe(-2);
    expect(events.at(-1)).toEqual({ ...ON_A, kind: "key-deleted", value: "v1", cause: "command" });
  });

  test("flushes and evicts what is alive; what has expired is no loss", () => {
    const { on, events } = commands();
    on.lock(acquire("v1", 10), 100);
    on.evict("orders", 111);
    on.lock(acquire("v2", 10), 111);
    on.evict("orders", 111);
    on.lock(acquire("v3", 10), 111);
    on.flushAll(121);
    on.lock(acquire("v4", 10), 121);
    on.flushAll(132);
    expect(events.filter(({ kind }) => kind === "key-deleted")).toEqual([
      { ...ON_A, kind: "key-deleted", value: "v2", cause: "evicted" },
      { ...ON_A, kind: "key-deleted", value: "v3", cause: "flushed" },
    ]);
  });
});

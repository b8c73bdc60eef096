import { describe, expect, test } from "vitest";
import { KeySpace } from "./key-space.ts";

function space() {
  const changed: string[] = [];
  const keys = new KeySpace((resource) => changed.push(resource));
  return { keys, changed };
}

const until = (expiresAtMs: number) => ({ value: "v1", expiresAtMs });

describe("KeySpace", () => {
  test("a key is there at the time at which it expires, and not a millisecond later", () => {
    const { keys, changed } = space();
    keys.set("orders", until(110));
    expect(keys.find("orders", 110)).toEqual(until(110));
    expect(keys.find("orders", 111)).toBeUndefined();
    expect(changed).toEqual(["orders", "orders"]);
  });

  test("what was found to have expired does not come back when the clock does", () => {
    const { keys } = space();
    keys.set("orders", until(110));
    keys.find("orders", 111);
    expect(keys.find("orders", 50)).toBeUndefined();
  });

  test("what expired unnoticed is there again when the clock is back before that", () => {
    const { keys } = space();
    keys.set("orders", until(110));
    expect(keys.stored("orders")).toEqual(until(110));
    expect(keys.find("orders", 50)).toEqual(until(110));
  });

  test("a sweep takes what has expired and notes nothing else", () => {
    const { keys, changed } = space();
    keys.set("short", until(10));
    keys.set("long", until(20));
    keys.set("lasting", until(Infinity));
    keys.sweep(11);
    expect([...keys.entries()].map(([resource]) => resource)).toEqual(["long", "lasting"]);
    expect(changed).toEqual(["short", "long", "lasting", "short"]);
  });

  test("what has expired is listed in the order in which it went, and stays until it is removed", () => {
    const { keys } = space();
    keys.set("second", until(20));
    keys.set("first", until(10));
    keys.set("alive", until(30));
    expect(keys.findExpired(30)).toEqual([
      { resource: "first", lastMs: 10 },
      { resource: "second", lastMs: 20 },
    ]);
    expect(keys.stored("first")).toEqual(until(10));
  });

  test("removing what is not there, and what a restart leaves, are no changes", () => {
    const { keys, changed } = space();
    keys.remove("orders");
    keys.replaceBy(new Map([["orders", until(10)]]));
    expect(keys.find("orders", 10)).toEqual(until(10));
    expect(changed).toEqual([]);
  });
});

import { describe, expect, test } from "vitest";
import { FOREIGN, GRANTED, HELD, MISSING } from "../../../../src/ports/reply.ts";
import { KeyCommands } from "./key-commands.ts";
import { KeySpace } from "./key-space.ts";
import { otherLockReply } from "./other-lock-commands.ts";

/** The lock `orders` is v1's from 100 on, for 10 ms. */
function heldByV1() {
  const keys = new KeyCommands("A", new KeySpace(() => undefined), {
    record: () => undefined,
    runId: () => "r1",
  });
  keys.lock({ kind: "acquire", resource: "orders", value: "v1", ttlMs: 10 }, 100);
  return {
    keys,
    reply: (command: Parameters<typeof otherLockReply>[1], wallMs = 100) =>
      otherLockReply(keys, command, wallMs),
  };
}

const v1 = { resource: "orders", value: "v1" } as const;
const v2 = { resource: "orders", value: "v2" } as const;

describe("otherLockReply", () => {
  test("a comparison tells whose the lock is", () => {
    const { reply } = heldByV1();
    expect(reply({ kind: "compare", ...v1 })).toEqual(GRANTED);
    expect(reply({ kind: "compare", ...v2 })).toEqual(FOREIGN);
    expect(reply({ kind: "compare", ...v1 }, 111)).toEqual(MISSING);
  });

  test("a removal asks nobody", () => {
    const { reply } = heldByV1();
    expect(reply({ kind: "remove", resource: "orders" })).toEqual(GRANTED);
    expect(reply({ kind: "remove", resource: "orders" })).toEqual(MISSING);
  });

  test("so does an overwrite", () => {
    const { keys, reply } = heldByV1();
    expect(reply({ kind: "overwrite", ...v2, ttlMs: 5 })).toEqual(GRANTED);
    expect([keys.read("orders", 100), keys.lifetime("orders", 100)]).toEqual(["v2", 5]);
  });

  test.each([
    [true, 50],
    [false, 10],
  ])("whoever holds it may take it again (with a new lifetime: %s)", (refreshes, leftMs) => {
    const { keys, reply } = heldByV1();
    expect(reply({ kind: "acquire-again", ...v2, ttlMs: 50, refreshes })).toEqual(HELD);
    expect(reply({ kind: "acquire-again", ...v1, ttlMs: 50, refreshes })).toEqual(GRANTED);
    expect(keys.lifetime("orders", 100)).toBe(leftMs);
    expect(reply({ kind: "acquire-again", ...v2, ttlMs: 50, refreshes }, 151)).toEqual(GRANTED);
  });

  test("an extension of another kind may shorten", () => {
    const { keys, reply } = heldByV1();
    expect(reply({ kind: "extend-to", ...v1, ttlMs: 3 })).toEqual(GRANTED);
    expect(keys.lifetime("orders", 100)).toBe(3);
    expect(reply({ kind: "extend-to", ...v2, ttlMs: 3 })).toEqual(FOREIGN);
    expect(reply({ kind: "extend-to", ...v1, ttlMs: 3 }, 104)).toEqual(MISSING);
  });

  test("an acquire that will wait for replicas is an acquire like any other", () => {
    const { reply } = heldByV1();
    expect(reply({ kind: "acquire-replicated", ...v2, ttlMs: 5, replicaCount: 1 })).toEqual(HELD);
    expect(reply({ kind: "acquire-replicated", ...v2, ttlMs: 5, replicaCount: 1 }, 111)).toEqual(GRANTED);
  });
});

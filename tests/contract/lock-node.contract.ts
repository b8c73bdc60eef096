/**
 * What every node that the coordinator can ask must do, whatever stands behind it: one suite, called once for
 * each implementation of the port.
 */
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { LockCommand } from "../../src/ports/command.ts";
import type { LockNode } from "../../src/ports/node.ts";
import type { NodeReply } from "../../src/ports/reply.ts";

export interface OpenNode {
  readonly node: LockNode;
  /** Lets the node's time pass. */
  readonly pass: (durationMs: number) => Promise<void>;
  /** Remaining lifetime of a key in milliseconds; `undefined`: no key. */
  readonly lifetimeMs: (resource: string) => Promise<number | undefined>;
  readonly close: () => Promise<void>;
}

const GRANTED: NodeReply = { kind: "granted" };
const refused = (reason: "held" | "missing" | "foreign"): NodeReply => ({ kind: "refused", reason });

/** Long enough for every answer that comes at all. */
const FOR_EVER_MS = Number.MAX_SAFE_INTEGER;

export function describeLockNode(name: string, open: () => Promise<OpenNode>): void {
  describe(`LockNode: ${name}`, () => {
    let opened: OpenNode;
    beforeAll(async () => {
      opened = await open();
    });
    afterAll(() => opened.close());

    const ask = (command: LockCommand): Promise<NodeReply> =>
      new Promise((resolve) => {
        opened.node.send(command, FOR_EVER_MS, resolve);
      });
    const acquire = (resource: string, value: string, ttlMs = 10_000) =>
      ask({ kind: "acquire", resource, value, ttlMs });
    const extend = (resource: string, value: string, ttlMs: number) =>
      ask({ kind: "extend", resource, value, ttlMs });
    const remove = (resource: string, value: string) => ask({ kind: "delete", resource, value });

    test("a resource is granted once, until its TTL is over", async () => {
      const resource = randomUUID();
      expect(await acquire(resource, "v1", 60)).toEqual(GRANTED);
      expect(await acquire(resource, "v2", 60)).toEqual(refused("held"));
      expect(await acquire(resource, "v1", 60)).toEqual(refused("held"));
      await opened.pass(70);
      expect(await acquire(resource, "v2", 60)).toEqual(GRANTED);
    });

    test("a delete touches its own value only", async () => {
      const resource = randomUUID();
      expect(await remove(resource, "v1")).toEqual(refused("missing"));
      await acquire(resource, "v1");
      expect(await remove(resource, "v2")).toEqual(refused("foreign"));
      expect(await remove(resource, "v1")).toEqual(GRANTED);
      expect(await remove(resource, "v1")).toEqual(refused("missing"));
    });

    test("an extension raises the lifetime of its own value, and never shortens it", async () => {
      const resource = randomUUID();
      expect(await extend(resource, "v1", 1000)).toEqual(refused("missing"));
      await acquire(resource, "v1", 5000);
      expect(await extend(resource, "v2", 60_000)).toEqual(refused("foreign"));
      expect(await opened.lifetimeMs(resource)).toBeLessThanOrEqual(5000);
      expect(await extend(resource, "v1", 100)).toEqual(GRANTED);
      expect(await opened.lifetimeMs(resource)).toBeGreaterThan(1000);
      expect(await extend(resource, "v1", 20_000)).toEqual(GRANTED);
      expect(await opened.lifetimeMs(resource)).toBeGreaterThan(15_000);
    });

    test("an extension does not bring back what has gone", async () => {
      const resource = randomUUID();
      await acquire(resource, "v1", 50);
      await opened.pass(60);
      expect(await extend(resource, "v1", 1000)).toEqual(refused("missing"));
      expect(await opened.lifetimeMs(resource)).toBeUndefined();
    });

    test("commands run in the order in which they were sent, and each reply answers its own", async () => {
      const resource = randomUUID();
      const replies = await Promise.all([
        acquire(resource, "v1"),
        acquire(resource, "v2"),
        remove(resource, "v1"),
        acquire(resource, "v2"),
        extend(resource, "v1", 1000),
      ]);
      expect(replies).toEqual([GRANTED, refused("held"), GRANTED, GRANTED, refused("foreign")]);
    });

    test("a reply comes later than the send returns", () => {
      let settled = false;
      opened.node.send({ kind: "delete", resource: randomUUID(), value: "v1" }, FOR_EVER_MS, () => {
        settled = true;
      });
      expect(settled).toBe(false);
    });

    test("names and values may hold any text", async () => {
      const resource = `wörk \r\n$5 ${randomUUID()}`;
      expect(await acquire(resource, "ä\n\"'")).toEqual(GRANTED);
      expect(await remove(resource, "ä\n\"'")).toEqual(GRANTED);
    });
  });
}

import { describe, expect, test } from "vitest";
import { replyFromFailure, replyFromWire, wireFromCommand } from "./wire.ts";
import { DELETE_SCRIPT, EXTEND_SCRIPT, GUARDED_ACQUIRE_SCRIPT, GUARDED_EXTEND_SCRIPT } from "./scripts.ts";

const HERE = { runId: "r1", durability: "volatile" } as const;
const lock = { resource: "orders", value: "v1" };

describe("wireFromCommand", () => {
  test("acquire is one SET with expiry, only if nobody has it: a duration, never a time of the client's (peers 74)", () => {
    expect(wireFromCommand({ kind: "acquire", ...lock, ttlMs: 1000 }, HERE)).toEqual({
      name: "SET",
      args: ["orders", "v1", "PX", "1000", "NX"],
    });
  });

  test("extend and delete are whole scripts, independent of the script cache", () => {
    expect(wireFromCommand({ kind: "extend", ...lock, ttlMs: 1000 }, HERE)).toEqual({
      name: "EVAL",
      args: [EXTEND_SCRIPT, "1", "orders", "v1", "1000"],
    });
    expect(wireFromCommand({ kind: "delete", ...lock }, HERE)).toEqual({
      name: "EVAL",
      args: [DELETE_SCRIPT, "1", "orders", "v1"],
    });
  });
});

describe("a command that demands a guard", () => {
  const guard = { membership: '["A"]', longestLifetimeMs: 30_000 };
  const demands = ["r1", '1 ["A"] 30000', "volatile", "30000"];
  const keys = ["3", "redlock:guard", "redlock:quarantine", "orders"];

  test("checks it in the same script, the value first among the arguments", () => {
    expect(wireFromCommand({ kind: "acquire", ...lock, ttlMs: 1000, guard }, HERE)).toEqual({
      name: "EVAL",
      args: [GUARDED_ACQUIRE_SCRIPT, ...keys, "v1", "1000", ...demands],
    });
    expect(wireFromCommand({ kind: "extend", ...lock, ttlMs: 1000, guard }, HERE)).toEqual({
      name: "EVAL",
      args: [GUARDED_EXTEND_SCRIPT, ...keys, "v1", "1000", ...demands],
    });
  });

  test("is answered with what is left of a quarantine, or with what the guard says", () => {
    expect(replyFromWire("acquire", ["quarantined", "812"])).toEqual({
      kind: "refused",
      reason: "quarantined",
      leftMs: 812,
    });
    expect(replyFromWire("extend", ["mismatched", 'r0 1 ["A","B"] 5000 volatile'])).toEqual({
      kind: "refused",
      reason: "mismatched",
      found: 'nodes ["A","B"] and a longest lifetime of 5000 ms',
    });
    expect(replyFromWire("extend", ["mismatched", "x"])).toMatchObject({
      found: "a guard that nobody here can read (x)",
    });
    expect(replyFromWire("acquire", ["quarantined", 812]).kind).toBe("unknown");
  });
});

describe("replyFromWire", () => {
  test.each([
    ["acquire", "OK", { kind: "granted" }],
    ["acquire", null, { kind: "refused", reason: "held" }],
    ["acquire", 1, { kind: "granted" }],
    ["acquire", -2, { kind: "refused", reason: "held" }],
    ["survey", 0, { kind: "granted" }],
    ["survey", 1, { kind: "refused", reason: "held" }],
    ["trust", "OK", { kind: "granted" }],
    ["trust", null, { kind: "refused", reason: "held" }],
    [
      "acquire",
      "QUEUED",
      { kind: "unknown", cause: "unexpected answer to acquire: QUEUED", mayHaveRun: true },
    ],
    ["extend", 1, { kind: "granted" }],
    ["extend", 0, { kind: "refused", reason: "missing" }],
    ["delete", -1, { kind: "refused", reason: "foreign" }],
    ["delete", null, { kind: "unknown", cause: "unexpected answer to delete: null", mayHaveRun: true }],
  ] as const)("%s answered with %s", (kind, answer, reply) => {
    expect(replyFromWire(kind, answer)).toEqual(reply);
  });
});

describe("replyFromFailure", () => {
  test("a server's error says what it means; a broken connection gets what is known of it", () => {
    const loading = Object.assign(new Error("LOADING Redis is loading"), { name: "ReplyError" });
    expect(replyFromFailure(loading, "the connection was closed")).toEqual({
      kind: "unknown",
      cause: "LOADING: it is still loading its data, and is down until it has",
      mayHaveRun: false,
    });
    expect(replyFromFailure(new Error("Reached the max retries"), "the connection was closed")).toEqual({
      kind: "unknown",
      cause: "the connection was closed",
      mayHaveRun: true,
    });
  });
});

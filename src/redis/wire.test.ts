import { describe, expect, test } from "vitest";
import { replyFromFailure, replyFromWire, wireFromCommand } from "./wire.ts";
import { DELETE_SCRIPT, EXTEND_SCRIPT } from "./scripts.ts";

const lock = { resource: "orders", value: "v1" };

describe("wireFromCommand", () => {
  test("acquire is one SET with expiry, only if nobody has it", () => {
    expect(wireFromCommand({ kind: "acquire", ...lock, ttlMs: 1000 })).toEqual({
      name: "SET",
      args: ["orders", "v1", "PX", "1000", "NX"],
    });
  });

  test("extend and delete are whole scripts, independent of the script cache", () => {
    expect(wireFromCommand({ kind: "extend", ...lock, ttlMs: 1000 })).toEqual({
      name: "EVAL",
      args: [EXTEND_SCRIPT, "1", "orders", "v1", "1000"],
    });
    expect(wireFromCommand({ kind: "delete", ...lock })).toEqual({
      name: "EVAL",
      args: [DELETE_SCRIPT, "1", "orders", "v1"],
    });
  });
});

describe("replyFromWire", () => {
  test.each([
    ["acquire", "OK", { kind: "granted" }],
    ["acquire", null, { kind: "refused", reason: "held" }],
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

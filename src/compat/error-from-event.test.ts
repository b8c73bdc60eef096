import { expect, test } from "vitest";
import type { RedlockEvent } from "../events.ts";
import { errorFromEvent } from "./error-from-event.ts";

const AT = { resource: "orders", value: "v1", votes: [] } as const;
const FAILED = { kind: "acquire-failed", waitedMs: 1, attemptCount: 1, ...AT } as const;

test.each<[RedlockEvent, string]>([
  [{ kind: "node-away", node: "C", cause: "ECONNREFUSED" }, "node C is away: ECONNREFUSED"],
  [{ kind: "node-warning", node: "C", message: "it evicts keys" }, "node C: it evicts keys"],
  [{ kind: "node-quarantined", node: "C", leftMs: 300 }, "quarantined for 300 ms"],
  [{ ...FAILED, code: "unavailable" }, '"orders" was not acquired'],
  [{ kind: "extend-failed", code: "lost", ...AT }, '"orders" was not extended'],
  [{ kind: "orphaned", count: 2 }, "2 keys may be left"],
])("%o is an error", (event, message) => {
  expect(errorFromEvent(event)?.message).toContain(message);
});

test.each<RedlockEvent>([
  { ...FAILED, code: "contended" },
  { ...FAILED, code: "aborted" },
  { kind: "acquire-started", resource: "orders", ttlMs: 1000 },
  { kind: "node-back", node: "C" },
])("$kind ($code) is none", (event) => {
  expect(errorFromEvent(event)).toBeUndefined();
});

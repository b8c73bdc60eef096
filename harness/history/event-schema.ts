/** How header and events look in a file. Anything that is not written here is refused. */
import { z } from "zod";
import type { EventKind } from "./event.ts";

const text = z.string();
const name = z.string().min(1);
const names = z.array(name).readonly();
const ms = z.number();
const duration = z.number().min(0);
const token = z.string().regex(/^\d+$/, "not decimal digits");
const code = z.enum(["contended", "unavailable", "expired", "lost", "aborted", "misuse"]);

const votes = z
  .array(
    z.union([
      z.strictObject({
        kind: z.literal("granted"),
        node: name,
        guardedBy: z.literal("process").exactOptional(),
        roundTripMs: ms,
      }),
      z.strictObject({
        kind: z.literal("refused"),
        node: name,
        reason: z.enum(["held", "missing", "foreign"]),
        roundTripMs: ms,
      }),
      z.strictObject({
        kind: z.literal("refused"),
        node: name,
        reason: z.literal("quarantined"),
        leftMs: duration,
        roundTripMs: ms,
      }),
      z.strictObject({
        kind: z.literal("refused"),
        node: name,
        reason: z.literal("mismatched"),
        found: text,
        roundTripMs: ms,
      }),
      z.strictObject({
        kind: z.literal("unknown"),
        node: name,
        cause: text,
        roundTripMs: ms.exactOptional(),
      }),
    ]),
  )
  .readonly();

const stamp = { seq: z.int().min(0), atMs: duration };
const inCall = { worker: name, call: name };
const inHold = { worker: name, hold: name };
const write = { ...inHold, write: name };
const key = { node: name, resource: text, value: text };
const fault = { fault: name, nodes: names, workers: names };

/** An event of this kind with these fields, beside those that every event has. */
function event<Kind extends EventKind, Fields extends z.ZodRawShape>(kind: Kind, fields: Fields) {
  return z.strictObject({ kind: z.literal(kind), ...fields, ...stamp });
}

export const EVENT_SCHEMA = z.discriminatedUnion("kind", [
  event("worker-started", { worker: name }),
  event("worker-finished", { worker: name }),
  event("acquire-invoked", { ...inCall, resource: text, ttlMs: duration, waitMs: duration }),
  event("acquire-granted", {
    ...inCall,
    hold: name,
    resource: text,
    value: text,
    deadlineMs: ms,
    remainingMs: ms,
    fencingToken: token.exactOptional(),
    votes,
  }),
  event("acquire-failed", { ...inCall, resource: text, code, votes }),
  event("extend-invoked", { ...inCall, hold: name, ttlMs: duration }),
  event("extend-granted", { ...inCall, hold: name, deadlineMs: ms, votes }),
  event("extend-failed", { ...inCall, hold: name, code, votes }),
  event("belief-ended", { ...inHold, reason: z.enum(["expired", "lost", "released"]) }),
  event("section-entered", inHold),
  event("section-left", inHold),
  event("write-invoked", write),
  event("write-returned", { ...write, accepted: z.boolean() }),
  event("write-skipped", inHold),
  event("release-invoked", { ...inCall, hold: name }),
  event("release-returned", {
    ...inCall,
    hold: name,
    outcome: z.enum(["released", "expired", "unconfirmed"]),
    votes,
  }),
  event("write-judged", {
    ...write,
    resource: text,
    fencingToken: token.exactOptional(),
    accepted: z.boolean(),
    acceptedIfFenced: z.boolean(),
    basedOn: text.nullable().exactOptional(),
  }),
  event("read-judged", {
    ...inHold,
    resource: text,
    fencingToken: token.exactOptional(),
    accepted: z.boolean(),
    saw: text.nullable(),
  }),
  event("key-set", { ...key, expiresInMs: ms.nullable(), cause: z.enum(["command", "recovered"]) }),
  event("key-raised", { ...key, claimedValue: text.exactOptional(), expiresInMs: ms }),
  event("key-deleted", {
    ...key,
    claimedValue: text.exactOptional(),
    cause: z.enum(["command", "flushed", "evicted"]),
  }),
  event("node-down", { node: name, cause: z.enum(["killed", "power-loss"]) }),
  event("node-up", { node: name }),
  event("node-stalled", { node: name }),
  event("node-resumed", { node: name }),
  event("clock-jumped", { node: name, byMs: ms }),
  event("clock-rate-set", { node: name, rate: ms }),
  event("key-found", { ...key, expiresInMs: ms.nullable() }),
  event("fault-applied", fault),
  event("fault-healed", fault),
  event("worker-paused", { worker: name }),
  event("worker-resumed", { worker: name }),
  event("worker-suspended", { worker: name }),
  event("deadline-moved", { ...inHold, deadlineMs: ms }),
  event("worker-killed", { worker: name }),
  event("story-ended", { cause: z.enum(["done", "limit"]) }),
  event("run-ended", {}),
]);

/** Every kind that a file may hold. */
export const EVENT_KINDS: ReadonlySet<string> = new Set(
  EVENT_SCHEMA.options.map((option) => option.shape.kind.value),
);

export const HEADER_SCHEMA = z.strictObject({
  version: z.literal(1),
  scenario: text,
  variant: text,
  backend: text,
  seed: text,
  startedAt: text,
  nodes: names,
  workers: names,
  quorum: z.int().min(1),
  ttlMs: duration,
  nodeTimeoutMs: duration,
  driftFactor: z.number().min(0),
  retryCapMs: duration,
  fencing: z.boolean(),
  longestLifetimeMs: duration.exactOptional(),
  nodeStampUncertaintyMs: duration,
  schedulingGraceMs: duration,
});

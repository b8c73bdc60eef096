/**
 * The shape of a story. A user's own story may come from plain JavaScript, so that nothing about it is certain;
 * whether its parts fit together is validate-story.ts.
 */
import { z } from "zod";
import type { FaultKind, LinkDirection } from "../faults/fault.ts";
import type { Step } from "../faults/trigger.ts";
import { CARRIED_NAMES } from "./event-names.ts";

const TIME_MAX_MS = 3_600_000;
const COUNT_MAX = 10_000;
const WORKERS_MAX = 50;
const FAULTS_MAX = 100;
/** A node's clock may run ten times too fast or too slow. */
const RATE_MIN = 0.1;
const RATE_MAX = 10;
const REPLICAS_MAX = 5;

const ms = z.number().min(0).max(TIME_MAX_MS);
const CLOCK_PHASE_MAX_MS = 999;
const wholeMs = z.int().min(0).max(TIME_MAX_MS);
const count = z.int().min(0).max(COUNT_MAX);
const name = z.string().min(1).max(60);
const names = z.array(name).min(1);

/** For names that end up in file names, shell commands and XML. */
export const slug = z
  .string()
  .max(60)
  .regex(/^[A-Za-z0-9]+(-[A-Za-z0-9]+)*$/, { error: "expected letters, digits and single dashes" });

const STEPS = [
  "now",
  "draw-value",
  "draw-fraction",
  "send",
  "receive",
  "sleep",
  "draw-token",
  "detach",
  "return",
] as const satisfies Step[];

const pattern = z.strictObject({
  kind: z.enum(Object.keys(CARRIED_NAMES)),
  worker: name.optional(),
  node: name.optional(),
  fault: name.optional(),
});

const trigger = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("at"), atMs: ms }),
  z.strictObject({
    kind: z.literal("after"),
    event: pattern,
    nth: z.int().min(1).max(COUNT_MAX).optional(),
    delayMs: ms.optional(),
  }),
  z.strictObject({
    kind: z.literal("before-effect"),
    worker: name,
    effect: z.enum(STEPS),
    nth: z.int().min(1).max(COUNT_MAX).optional(),
  }),
]);

const direction = z.enum(["request", "reply", "both"] satisfies LinkDirection[]);
const forMs = ms.optional();
const stepMs = z.number().min(-TIME_MAX_MS).max(TIME_MAX_MS);
const rate = z.number().min(RATE_MIN).max(RATE_MAX);
const replica = z.int().min(1).max(REPLICAS_MAX);

const FAULT_SHAPES = {
  "pause-worker": z.strictObject({
    kind: z.literal("pause-worker"),
    worker: name,
    forMs: ms,
    resumeWith: z.enum(["timers", "replies"]).optional(),
  }),
  "suspend-worker": z.strictObject({ kind: z.literal("suspend-worker"), worker: name, forMs: ms }),
  "jump-worker-clock": z.strictObject({ kind: z.literal("jump-worker-clock"), worker: name, byMs: stepMs }),
  "skew-worker-clock": z.strictObject({ kind: z.literal("skew-worker-clock"), worker: name, rate, forMs }),
  "lossy-link": z.strictObject({
    kind: z.literal("lossy-link"),
    workers: names,
    nodes: names,
    direction: direction.exclude(["both"]),
    share: z.number().gt(0).max(1),
    forMs,
  }),
  "reset-link": z.strictObject({ kind: z.literal("reset-link"), workers: names, nodes: names }),
  "slow-resource": z.strictObject({ kind: z.literal("slow-resource"), worker: name, latencyMs: ms, forMs }),
  "flush-node": z.strictObject({ kind: z.literal("flush-node"), node: name }),
  "flush-scripts": z.strictObject({ kind: z.literal("flush-scripts"), node: name }),
  "evict-key": z.strictObject({ kind: z.literal("evict-key"), node: name, resource: name }),
  "delete-key": z.strictObject({ kind: z.literal("delete-key"), node: name, resource: name }),
  "exchange-node": z.strictObject({ kind: z.literal("exchange-node"), node: name }),
  "fail-over": z.strictObject({
    kind: z.literal("fail-over"),
    node: name,
    replica: replica.optional(),
  }),
  "hold-replication": z.strictObject({ kind: z.literal("hold-replication"), node: name, replica, forMs }),
  "rewind-counter": z.strictObject({
    kind: z.literal("rewind-counter"),
    lostCount: count.min(1),
  }),
  "crash-worker": z.strictObject({ kind: z.literal("crash-worker"), worker: name }),
  "cut-link": z
    .strictObject({
      kind: z.literal("cut-link"),
      workers: names,
      nodes: names,
      how: z.enum(["refuse", "lose"]),
      direction: direction.optional(),
      forMs,
    })
    .refine((fault) => fault.how === "lose" || fault.direction === undefined, {
      error: "a link that refuses has no direction",
    }),
  "slow-link": z
    .strictObject({
      kind: z.literal("slow-link"),
      workers: names,
      nodes: names,
      direction: direction.exclude(["both"]),
      latencyMs: ms,
      jitterMs: ms.optional(),
      forMs,
    })
    .refine((fault) => (fault.jitterMs ?? 0) <= fault.latencyMs, {
      error: "the jitter is more than the latency",
    }),
  "crash-node": z.strictObject({ kind: z.literal("crash-node"), node: name, downForMs: ms.optional() }),
  "lose-power": z.strictObject({ kind: z.literal("lose-power"), node: name, downForMs: ms.optional() }),
  "stall-node": z.strictObject({ kind: z.literal("stall-node"), node: name, forMs: ms }),
  "hold-sync": z.strictObject({ kind: z.literal("hold-sync"), node: name, forMs }),
  "jump-clock": z.strictObject({
    kind: z.literal("jump-clock"),
    node: name,
    byMs: stepMs,
  }),
  "skew-clock": z.strictObject({
    kind: z.literal("skew-clock"),
    node: name,
    rate,
    forMs,
  }),
} satisfies Record<FaultKind, z.ZodType>;

const plannedFault = z.strictObject({
  id: slug,
  when: trigger,
  fault: z.discriminatedUnion("kind", [
    FAULT_SHAPES["pause-worker"],
    FAULT_SHAPES["crash-worker"],
    FAULT_SHAPES["cut-link"],
    FAULT_SHAPES["slow-link"],
    FAULT_SHAPES["crash-node"],
    FAULT_SHAPES["lose-power"],
    FAULT_SHAPES["stall-node"],
    FAULT_SHAPES["hold-sync"],
    FAULT_SHAPES["jump-clock"],
    FAULT_SHAPES["skew-clock"],
    FAULT_SHAPES["suspend-worker"],
    FAULT_SHAPES["jump-worker-clock"],
    FAULT_SHAPES["skew-worker-clock"],
    FAULT_SHAPES["lossy-link"],
    FAULT_SHAPES["reset-link"],
    FAULT_SHAPES["slow-resource"],
    FAULT_SHAPES["flush-node"],
    FAULT_SHAPES["flush-scripts"],
    FAULT_SHAPES["evict-key"],
    FAULT_SHAPES["delete-key"],
    FAULT_SHAPES["exchange-node"],
    FAULT_SHAPES["fail-over"],
    FAULT_SHAPES["hold-replication"],
    FAULT_SHAPES["rewind-counter"],
  ]),
});

const worker = z.strictObject({
  id: slug,
  startWhen: trigger,
  resource: name,
  ttlMs: z.int().min(1).max(TIME_MAX_MS),
  waitMs: wholeMs,
  acquireCount: count.min(1),
  idleMs: wholeMs,
  grantsMax: count,
  workMs: wholeMs,
  checkBeforeWrite: z.boolean(),
  lingerMs: wholeMs,
  extendMs: wholeMs,
  renews: z.boolean().optional(),
  handsOver: z.boolean().optional(),
  maxHoldMs: wholeMs.optional(),
  readsFirst: z.boolean().optional(),
  stampsFirst: z.boolean().optional(),
  checksReplica: z.boolean().optional(),
  membership: names.optional(),
});

const staging = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("granted-by"), worker: name, nodes: names }),
  z.strictObject({ kind: z.literal("order"), earlier: pattern, later: pattern }),
]);

const messages = z.strictObject({
  promptMs: ms,
  lateMs: ms,
  unprompt: z.array(z.strictObject({ message: z.int().min(0), fate: z.enum(["late", "lost"]) })),
});

export const STORY_SCHEMA = z.strictObject({
  workers: z.array(worker).min(1).max(WORKERS_MAX),
  faults: z.array(plannedFault).max(FAULTS_MAX),
  staging: z.array(staging),
  demands: z.strictObject({
    contention: z.boolean(),
    events: z.array(pattern),
    promptAcquires: z.strictObject({ medianBelowMs: z.number().positive() }).optional(),
  }),
  limitMs: z.number().min(1).max(TIME_MAX_MS),
  messages: messages.optional(),
  clockPhaseMs: z.int().min(0).max(CLOCK_PHASE_MAX_MS).optional(),
});

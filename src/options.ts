/** The coordinator's options: defaults, ranges, and one sentence for what is out of range. */
import { membershipOf } from "./core/guard-record.ts";
import { majorityOf } from "./core/quorum.ts";
import type { Rules } from "./core/rules.ts";
import { assertDuration, isWholeMs } from "./durations.ts";
import { assertKnownOptions, shown } from "./known-options.ts";
import { misuse } from "./misuse.ts";
import type { LockNode } from "./ports/node.ts";

/** Options of a coordinator; every client of the same nodes should have the same. */
export interface RedlockOptions {
  /** Votes that a lock needs; default: the majority of the nodes, which is the least. */
  readonly quorum?: number;
  /** How long a round waits for a silent node, in milliseconds above 0; default 50. */
  readonly nodeTimeoutMs?: number;
  /** Share of the TTL that is given up for clocks that run apart, 0 to 0.5; default 0.01. */
  readonly driftFactor?: number;
  /** Upper end of the first random wait between attempts, in milliseconds above 0; default 20. */
  readonly retryBaseMs?: number;
  /** Upper end of every such wait, in milliseconds, `retryBaseMs` at least; default 200. */
  readonly retryCapMs?: number;
  /** The longest time for which the network may hold a command up, in milliseconds; default 60,000. */
  readonly longestDelayMs?: number;
  /**
   * A node that may have forgotten its keys (it was restarted, emptied, promoted or exchanged) casts no vote for one
   * longest lifetime; on unless it is `"off"`. It needs scripts and `INFO`.
   */
  readonly restartGuard?: RestartGuardOptions | "off";
  /**
   * Whether the first acquire asks the nodes what they are, and refuses replicas, one server under two addresses,
   * single servers of a Redis Cluster and Sentinels. It waits for that within `nodeTimeoutMs`. Default `"first-use"`.
   */
  readonly startUpProbe?: "first-use" | "off";
  /**
   * Whether `using` within the body of a `using` on the same resource runs under the lock that is held, instead of
   * waiting for it; `acquire` is refused there. Within one asynchronous context: what the body calls or starts, in this
   * process. Default false.
   */
  readonly reentrant?: boolean;
}

/** How nodes that may have forgotten are kept from voting; the same for all clients of the same nodes. */
export interface RestartGuardOptions {
  /**
   * The largest TTL that anybody passes to acquire or extend, in whole milliseconds; a larger one is refused.
   * Default 30,000. A node that may have forgotten is left out for so long.
   */
  readonly longestLifetimeMs?: number;
  /**
   * Nodes that were never guarded wait one longest lifetime, once (`"wait"`, the default). `"trust"` skips that where
   * all of them answer and none has a guard: who sets it vouches that no lock is live (tests, a first deployment).
   */
  readonly firstUse?: "wait" | "trust";
}

const REDLOCK_OPTIONS = [
  "quorum",
  "nodeTimeoutMs",
  "driftFactor",
  "retryBaseMs",
  "retryCapMs",
  "longestDelayMs",
  "restartGuard",
  "startUpProbe",
  "reentrant",
] as const satisfies (keyof RedlockOptions)[];

const DEFAULTS = {
  nodeTimeoutMs: 50,
  driftFactor: 0.01,
  retryBaseMs: 20,
  retryCapMs: 200,
  longestDelayMs: 60_000,
  longestLifetimeMs: 30_000,
};
const DRIFT_FACTOR_MAX = 0.5;

/** @throws RedlockError `misuse` for an option out of its range. */
export function rulesFrom(nodes: readonly Pick<LockNode, "name">[], options: RedlockOptions): Rules {
  assertKnownOptions("a Redlock", options, REDLOCK_OPTIONS);
  const nodeNames = nodes.map(({ name }) => name);
  if (nodes.length === 0)
    throw misuse("a Redlock needs at least one node: pass what createNodes(urls) returns");
  if (new Set(nodeNames).size < nodes.length)
    throw misuse("two nodes have the same name: it would be counted twice");

  const majority = majorityOf(nodes.length);
  const { quorum = majority } = options;
  if (!Number.isInteger(quorum) || quorum < majority || quorum > nodes.length) {
    throw misuse(
      `quorum must be a whole number from ${String(majority)} (the majority) to ${String(nodes.length)}, not ${shown(quorum)}`,
    );
  }
  const {
    nodeTimeoutMs = DEFAULTS.nodeTimeoutMs,
    driftFactor = DEFAULTS.driftFactor,
    retryBaseMs = DEFAULTS.retryBaseMs,
    retryCapMs = DEFAULTS.retryCapMs,
    longestDelayMs = DEFAULTS.longestDelayMs,
  } = options;
  assertDuration("nodeTimeoutMs", nodeTimeoutMs, Number.MIN_VALUE);
  assertDuration("retryBaseMs", retryBaseMs, Number.MIN_VALUE);
  assertDuration("retryCapMs", retryCapMs, retryBaseMs);
  assertDuration("longestDelayMs", longestDelayMs, 0);
  if (!(driftFactor >= 0 && driftFactor <= DRIFT_FACTOR_MAX)) {
    throw misuse(
      `driftFactor must be a number from 0 to ${String(DRIFT_FACTOR_MAX)}, not ${shown(driftFactor)}`,
    );
  }
  assertStartUpProbe(options.startUpProbe);
  assertReentrant(options.reentrant);
  return {
    nodeNames,
    quorum,
    nodeTimeoutMs,
    driftFactor,
    backoff: { baseMs: retryBaseMs, capMs: retryCapMs },
    longestDelayMs,
    ...guardFrom(nodeNames, options.restartGuard),
  };
}

function assertStartUpProbe(startUpProbe: unknown): void {
  if (startUpProbe === undefined || startUpProbe === "first-use" || startUpProbe === "off") return;
  throw misuse(
    `startUpProbe must be "first-use" or "off", not ${typeof startUpProbe === "string" ? startUpProbe : typeof startUpProbe}`,
  );
}

function assertReentrant(reentrant: unknown): void {
  if (reentrant === undefined || typeof reentrant === "boolean") return;
  throw misuse(`reentrant must be true or false, not ${shown(reentrant)}`);
}

function guardFrom(
  nodeNames: readonly string[],
  restartGuard: unknown = {},
): Pick<Rules, "guard" | "firstUse"> {
  if (restartGuard === "off") return { guard: undefined, firstUse: "wait" };
  if (typeof restartGuard !== "object" || restartGuard === null) {
    throw misuse(`restartGuard must be {longestLifetimeMs, firstUse} or "off", not ${shown(restartGuard)}`);
  }
  assertKnownOptions("restartGuard", restartGuard, ["longestLifetimeMs", "firstUse"]);
  const {
    longestLifetimeMs = DEFAULTS.longestLifetimeMs,
    firstUse = "wait",
  }: Readonly<Record<string, unknown>> = { ...restartGuard };
  if (!isWholeMs(longestLifetimeMs)) {
    throw misuse(
      `restartGuard.longestLifetimeMs must be a whole number of milliseconds from 1 to 1e12, not ${shown(longestLifetimeMs)}`,
    );
  }
  if (firstUse !== "wait" && firstUse !== "trust") {
    throw misuse(`restartGuard.firstUse must be "wait" or "trust", not ${shown(firstUse)}`);
  }
  return { guard: { membership: membershipOf(nodeNames), longestLifetimeMs }, firstUse };
}

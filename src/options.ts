/** The coordinator's options: defaults, ranges, and one sentence for what is out of range. */
import { GUARD_KEY, membershipOf, QUARANTINE_KEY } from "./core/guard-record.ts";
import { majorityOf } from "./core/quorum.ts";
import type { Rules } from "./core/rules.ts";
import { driftAllowanceMs } from "./core/validity.ts";
import { RedlockError } from "./errors.ts";
import type { GuardTerms } from "./ports/command.ts";
import { resourcesOf, type Target } from "./ports/command.ts";
import type { LockNode } from "./ports/node.ts";
import type { TokenSource } from "./ports/token-source.ts";

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

/** Options of one acquire. */
export interface AcquireOptions {
  /** How long further attempts may start after the first, in milliseconds; default 0: one attempt. */
  readonly waitMs?: number;
  /** Where a fencing token is drawn from; none is drawn without it. */
  readonly fencing?: TokenSource;
  /** Ends the waiting, and an attempt under way, when it aborts; what the attempt had sent is taken back. */
  readonly signal?: AbortSignal;
}

/** How a lock is kept alive. */
export interface KeepAliveOptions {
  /** The TTL that each extension asks for, in milliseconds; default: the one that the lock was last given. */
  readonly ttlMs?: number;
  /**
   * How long from now on the lock is extended, in milliseconds above 0; then it runs out within its TTL. Without
   * it a holder whose work hangs keeps everybody out for as long as its process lives.
   */
  readonly maxHoldMs?: number;
}

/** Options of a body that runs under a lock. */
export interface UsingOptions extends AcquireOptions, Pick<KeepAliveOptions, "maxHoldMs"> {
  /** Reject with `lost` or `expired` when the lock was over before its body was; default false. */
  readonly failIfLost?: boolean;
}

const DEFAULTS = {
  nodeTimeoutMs: 50,
  driftFactor: 0.01,
  retryBaseMs: 20,
  retryCapMs: 200,
  longestDelayMs: 60_000,
  longestLifetimeMs: 30_000,
};
const DRIFT_FACTOR_MAX = 0.5;
/** About 31 years; every sum of such times is still exact. */
const DURATION_MAX_MS = 1e12;

/** @throws RedlockError `misuse` for an option out of its range. */
export function rulesFrom(nodes: readonly Pick<LockNode, "name">[], options: RedlockOptions): Rules {
  const nodeNames = nodes.map(({ name }) => name);
  if (nodes.length === 0)
    throw misuse("a Redlock needs at least one node: pass what createNodes(urls) returns");
  if (new Set(nodeNames).size < nodes.length)
    throw misuse("two nodes have the same name: it would be counted twice");

  const majority = majorityOf(nodes.length);
  const { quorum = majority } = options;
  if (!Number.isInteger(quorum) || quorum < majority || quorum > nodes.length) {
    throw misuse(
      `quorum must be a whole number from ${String(majority)} (the majority) to ${String(nodes.length)}, not ${String(quorum)}`,
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
      `driftFactor must be a number from 0 to ${String(DRIFT_FACTOR_MAX)}, not ${String(driftFactor)}`,
    );
  }
  assertStartUpProbe(options.startUpProbe);
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

function guardFrom(
  nodeNames: readonly string[],
  restartGuard: unknown = {},
): Pick<Rules, "guard" | "firstUse"> {
  if (restartGuard === "off") return { guard: undefined, firstUse: "wait" };
  if (typeof restartGuard !== "object" || restartGuard === null) {
    throw misuse(`restartGuard must be {longestLifetimeMs, firstUse} or "off", not ${String(restartGuard)}`);
  }
  const {
    longestLifetimeMs = DEFAULTS.longestLifetimeMs,
    firstUse = "wait",
  }: Readonly<Record<string, unknown>> = { ...restartGuard };
  if (!isWholeMs(longestLifetimeMs)) {
    throw misuse(
      `restartGuard.longestLifetimeMs must be a whole number of milliseconds from 1 to 1e12, not ${String(longestLifetimeMs)}`,
    );
  }
  if (firstUse !== "wait" && firstUse !== "trust") {
    throw misuse(`restartGuard.firstUse must be "wait" or "trust", not ${String(firstUse)}`);
  }
  return { guard: { membership: membershipOf(nodeNames), longestLifetimeMs }, firstUse };
}

/** What can be locked: one resource by its name, or several at once. */
export type Resources = string | readonly string[];

/** More would make one step of a node too long for everybody else. */
const RESOURCES_MAX = 1000;

/**
 * Names are sorted and each is taken once, so that all clients ask for the same in the same order. A string is one
 * resource.
 *
 * @throws RedlockError `misuse` for what names no resource.
 */
export function targetFrom(resources: unknown): Target {
  const names: readonly unknown[] = Array.isArray(resources) ? resources : [resources];
  if (!names.every(isName))
    throw misuse("a resource is a string that is not empty, or a list of such strings");
  const reserved = names.find((name) => name === GUARD_KEY || name === QUARANTINE_KEY);
  if (reserved !== undefined) {
    throw misuse(`the key ${reserved} belongs to the restart guard: choose another name for the resource`);
  }
  const [resource, ...others] = [...new Set(names)].toSorted();
  if (resource === undefined || others.length >= RESOURCES_MAX) {
    throw misuse(`a lock is on 1 to ${String(RESOURCES_MAX)} resources, not ${String(names.length)}`);
  }
  return others.length === 0 ? { resource } : { resource, others };
}

function isName(name: unknown): name is string {
  return typeof name === "string" && name !== "";
}

/** How errors and events name what a lock is on. */
export function targetText(target: Target): string {
  return resourcesOf(target).join(", ");
}

/** @throws RedlockError `misuse` for a TTL that is no whole number, leaves no validity, or is above the longest. */
export function assertTtl(
  ttlMs: unknown,
  { driftFactor, guard }: Pick<Rules, "driftFactor"> & { readonly guard?: GuardTerms | undefined },
): asserts ttlMs is number {
  if (!isWholeMs(ttlMs)) {
    throw misuse(`ttlMs must be a whole number of milliseconds from 1 to 1e12, not ${String(ttlMs)}`);
  }
  if (guard !== undefined && ttlMs > guard.longestLifetimeMs) {
    throw misuse(
      `a ttlMs of ${String(ttlMs)} is above the longest lifetime of ${String(guard.longestLifetimeMs)} ms: raise restartGuard.longestLifetimeMs in all clients`,
    );
  }
  const driftMs = driftAllowanceMs(ttlMs, driftFactor);
  if (ttlMs <= driftMs) {
    throw misuse(
      `a ttlMs of ${String(ttlMs)} leaves no validity: the drift allowance alone is ${String(driftMs)} ms`,
    );
  }
}

/** @throws RedlockError `misuse` for options of an acquire that cannot work. */
export function assertAcquireOptions(options: AcquireOptions): void {
  assertDuration("waitMs", options.waitMs ?? 0, 0);
  assertSignal(options.signal);
  const fencing: unknown = options.fencing;
  if (fencing === undefined) return;
  if (
    typeof fencing !== "object" ||
    fencing === null ||
    !("next" in fencing) ||
    typeof fencing.next !== "function"
  ) {
    throw misuse("fencing must be a token source: an object with next(resource) that resolves to a bigint");
  }
}

/** @throws RedlockError `misuse` for a way to keep a lock that cannot work. */
export function assertKeepAliveOptions(
  { ttlMs, maxHoldMs }: KeepAliveOptions,
  rules: Pick<Rules, "driftFactor" | "guard">,
): void {
  if (ttlMs !== undefined) assertTtl(ttlMs, rules);
  if (maxHoldMs !== undefined) assertDuration("maxHoldMs", maxHoldMs, Number.MIN_VALUE);
}

/** @throws RedlockError `misuse` for a body that is no function. */
export function assertBody<Body extends (...given: never[]) => unknown>(
  body: Body | undefined,
): asserts body is Body {
  if (typeof body === "function") return;
  throw misuse("using takes a function as its last argument: the body that runs under the lock");
}

function assertSignal(signal: unknown): void {
  if (signal === undefined || signal instanceof AbortSignal) return;
  throw misuse("signal must be an AbortSignal, such as that of an AbortController");
}

function isWholeMs(valueMs: unknown): valueMs is number {
  return (
    typeof valueMs === "number" && Number.isInteger(valueMs) && valueMs >= 1 && valueMs <= DURATION_MAX_MS
  );
}

function assertDuration(name: string, valueMs: unknown, leastMs: number): void {
  if (typeof valueMs === "number" && valueMs >= leastMs && valueMs <= DURATION_MAX_MS) return;
  const least = leastMs === Number.MIN_VALUE ? "above 0" : `from ${String(leastMs)}`;
  throw misuse(`${name} must be a number of milliseconds ${least} to 1e12, not ${String(valueMs)}`);
}

function misuse(message: string): RedlockError {
  return new RedlockError("misuse", message);
}

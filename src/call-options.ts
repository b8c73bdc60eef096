/** The options of the verbs, and one sentence for what cannot work. Pure. */
import type { Rules } from "./core/rules.ts";
import { assertDuration, assertTtl } from "./durations.ts";
import { assertKnownOptions, shown } from "./known-options.ts";
import { misuse } from "./misuse.ts";
import type { TokenSource } from "./ports/token-source.ts";

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

const ACQUIRE_OPTIONS = ["waitMs", "fencing", "signal"] as const satisfies (keyof AcquireOptions)[];
const USING_OPTIONS = [
  ...ACQUIRE_OPTIONS,
  "maxHoldMs",
  "failIfLost",
] as const satisfies (keyof UsingOptions)[];

/** @throws RedlockError `misuse` for options of an acquire that cannot work. */
export function assertAcquireOptions(options: AcquireOptions): void {
  assertKnownOptions("acquire", options, ACQUIRE_OPTIONS);
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
  options: KeepAliveOptions,
  rules: Pick<Rules, "driftFactor" | "guard">,
): void {
  assertKnownOptions("keepAlive", options, ["ttlMs", "maxHoldMs"]);
  const { ttlMs, maxHoldMs } = options;
  if (ttlMs !== undefined) assertTtl(ttlMs, rules);
  if (maxHoldMs !== undefined) assertDuration("maxHoldMs", maxHoldMs, Number.MIN_VALUE);
}

/**
 * The options of the acquire that begins it, and what is left of them.
 *
 * @throws RedlockError `misuse` for an option that there is not, or `failIfLost` that is no boolean.
 */
export function usingOptionsFrom(options: UsingOptions): {
  readonly acquiring: AcquireOptions;
  readonly keeping: Pick<KeepAliveOptions, "maxHoldMs">;
  readonly failIfLost: boolean;
} {
  assertKnownOptions("using", options, USING_OPTIONS);
  const { maxHoldMs, failIfLost = false, ...acquiring } = options;
  const given: unknown = failIfLost;
  if (typeof given !== "boolean") throw misuse(`failIfLost must be true or false, not ${shown(given)}`);
  return { acquiring, keeping: maxHoldMs === undefined ? {} : { maxHoldMs }, failIfLost };
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

/** @throws RedlockError `misuse` for an observer that is no function. */
export function assertObserver(observer: unknown): void {
  if (typeof observer === "function") return;
  throw misuse(`observe takes a function that is called with each event, not ${shown(observer)}`);
}

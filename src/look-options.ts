/** Options of the verbs that only look at the nodes: `inspect` and `probe`. Pure. */
import { assertKnownOptions, shown } from "./known-options.ts";
import { misuse } from "./misuse.ts";

/** How long nodes are waited for that do not answer. */
export interface LookOptions {
  /** Whole milliseconds from 1 to 1e9; default 2000. */
  readonly limitMs?: number;
}

const DEFAULT_LIMIT_MS = 2000;
/** Below what a timer can wait for. */
const LIMIT_MAX_MS = 1e9;

/** @throws RedlockError `misuse` for an option that there is not, or a limit out of its range. */
export function lookLimitMsFrom(verb: "inspect" | "probe", options: LookOptions): number {
  assertKnownOptions(verb, options, ["limitMs"]);
  const { limitMs = DEFAULT_LIMIT_MS } = options;
  if (Number.isInteger(limitMs) && limitMs >= 1 && limitMs <= LIMIT_MAX_MS) return limitMs;
  throw misuse(`limitMs must be a whole number of milliseconds from 1 to 1e9, not ${shown(limitMs)}`);
}

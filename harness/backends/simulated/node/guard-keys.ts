/**
 * What a guarded script asks before it touches a lock: the twin of the first half of the coordinator's guarded
 * scripts (src/redis/scripts.ts), step by step. The guard and the quarantine are ordinary keys of the node.
 */
import { GUARD_KEY, QUARANTINE_KEY, recordText, termsText } from "../../../../src/core/guard-record.ts";
import type { GuardTerms } from "../../../../src/ports/command.ts";
import { SCRIPT_MISMATCHED, SCRIPT_QUARANTINED } from "../../../../src/redis/scripts.ts";

/** The keys as a script reads and writes them, at the time of the call. */
export interface ScriptKeys {
  readonly read: (name: string) => string | null;
  /** As PTTL: -1 without expiry, -2 without the key. */
  readonly lifetime: (name: string) => number;
  readonly write: (name: string, value: string, ttlMs?: number) => void;
}

export type GuardRefusal = readonly [typeof SCRIPT_QUARANTINED | typeof SCRIPT_MISMATCHED, string];

const NO_EXPIRY = -1;
const NO_KEY = -2;
const RECORD = /^(\S+) (.*) (\S+)$/s;

/** What a connection knows of the server. */
export interface ServerProcess {
  readonly runId: string;
  /** How long it is to cast no vote where it may have forgotten, in milliseconds. */
  readonly quarantineMs: number;
}

/** @returns what the node says instead of a vote; `undefined` where it may vote. */
export function guardRefusal(
  terms: GuardTerms,
  { runId, quarantineMs }: ServerProcess,
  keys: ScriptKeys,
): GuardRefusal | undefined {
  const found = keys.read(GUARD_KEY);
  const own = recordText({ runId, terms, durability: "volatile" });
  if (found !== own) {
    const [, foundRunId, foundTerms] = RECORD.exec(found ?? "") ?? [];
    if (found !== null && foundTerms !== termsText(terms)) return [SCRIPT_MISMATCHED, found];
    // The quarantine first: at no time does the node look as if it might vote.
    if (foundRunId !== runId) quarantine(quarantineMs, runId, keys);
    keys.write(GUARD_KEY, own);
  }
  const lifetime = keys.lifetime(QUARANTINE_KEY);
  if (lifetime === NO_KEY) return undefined;
  return [SCRIPT_QUARANTINED, String(lifetime === NO_EXPIRY ? terms.longestLifetimeMs : lifetime)];
}

/** Never cuts one short. */
function quarantine(durationMs: number, runId: string, keys: ScriptKeys): void {
  const lifetime = keys.lifetime(QUARANTINE_KEY);
  if (lifetime !== NO_EXPIRY && lifetime < durationMs && durationMs > 0) {
    keys.write(QUARANTINE_KEY, runId, durationMs);
  }
}

/** Settings by their names in redlock 5, and what they are here. */
import { misuse } from "../misuse.ts";
import type { RedlockOptions } from "../options.ts";

/** Settings of redlock 5, with its defaults, and any option of this coordinator beside them. */
export interface Settings extends RedlockOptions {
  /** Attempts after the first, default 10; -1 for as many as it takes. Their time counts here, not their number. */
  readonly retryCount?: number;
  /** Mean wait between attempts in redlock 5, in milliseconds; default 200. */
  readonly retryDelay?: number;
  /** What the wait may deviate by in redlock 5, in milliseconds; default 100. */
  readonly retryJitter?: number;
  /** Taken and not used: a lock is extended when a third of its time is over. */
  readonly automaticExtensionThreshold?: number;
}

const DEFAULTS = { retryCount: 10, retryDelay: 200, retryJitter: 100 };
/** As long as an option may be, some 31 years: `retryCount: -1`. */
const FOR_EVER_MS = 1e12;
const BASE_MS = 20;
const LEAST_MS = 1;

/** @throws RedlockError `misuse` for what is no object of settings, and for `db`, which only the fork of redlock 5 has. */
export function assertSettings(settings: unknown): asserts settings is Settings {
  if (typeof settings !== "object" || settings === null || Array.isArray(settings)) {
    throw misuse("settings must be an object, as in new Redlock(clients, { retryCount: 10 })");
  }
  if (!("db" in settings)) return;
  throw misuse("db is no setting here: give it to the client, as in new Redis({ host, db: 3 })");
}

/** What one coordinator is made with. */
export function optionsFrom(settings: Settings): RedlockOptions {
  const { retryDelay = DEFAULTS.retryDelay, retryJitter = DEFAULTS.retryJitter } = settings;
  assertWait("retryDelay", retryDelay);
  assertWait("retryJitter", retryJitter);
  const retryCapMs = Math.max(LEAST_MS, retryDelay + retryJitter);
  return { retryCapMs, retryBaseMs: Math.min(BASE_MS, retryCapMs), ...ownOptions(settings) };
}

/** How long an acquire may wait: as long as redlock 5 would on average, in `retryCount` waits of `retryDelay`. */
export function waitMsFrom(settings: Settings): number {
  const { retryCount = DEFAULTS.retryCount, retryDelay = DEFAULTS.retryDelay } = settings;
  if (retryCount === -1 || retryCount === Infinity) return FOR_EVER_MS;
  if (!Number.isInteger(retryCount) || retryCount < 0) {
    throw misuse(`retryCount must be a whole number from 0, or -1 for no limit, not ${String(retryCount)}`);
  }
  assertWait("retryDelay", retryDelay);
  return Math.min(FOR_EVER_MS, retryCount * retryDelay);
}

/** @throws RedlockError `misuse` for a setting of one call that all rounds of a coordinator share. */
export function assertPerCall(settings: Settings): void {
  const shared = Object.keys(settings).filter((name) => !PER_CALL.has(name));
  if (shared.length === 0) return;
  throw misuse(`${shared.join(", ")} cannot be set for one call: give it to new Redlock(clients, settings)`);
}

const PER_CALL = new Set(["retryCount", "retryDelay", "retryJitter", "automaticExtensionThreshold"]);

function ownOptions(settings: Settings): RedlockOptions {
  const own = Object.entries(settings).filter(([name]) => !PER_CALL.has(name));
  return Object.fromEntries(own);
}

function assertWait(name: string, valueMs: unknown): void {
  if (typeof valueMs === "number" && valueMs >= 0 && valueMs <= FOR_EVER_MS) return;
  throw misuse(`${name} must be a number of milliseconds from 0 to 1e12, not ${String(valueMs)}`);
}

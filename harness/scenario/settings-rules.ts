/** Which settings can work: each by itself, and all of them together. */
import { z } from "zod";
import { UsageError } from "../lab-error.ts";
import type { LabSettings } from "./lab-settings.ts";
import { NODE_COUNT_MAX } from "./node-names.ts";
import { sentenceFromIssue } from "./sentence-from-issue.ts";

const TEN_MINUTES_MS = 600_000;
/** Below this, drift and the grain of Redis' expiry leave nothing of a lifetime. */
const TTL_MIN_MS = 10;

const wholeMs = (minMs: number): z.ZodType => z.int().min(minMs).max(TEN_MINUTES_MS);

/** Unknown names are refused: a misspelt setting would go unnoticed. */
const SETTING_SHAPES = {
  nodeCount: z.int().min(1).max(NODE_COUNT_MAX),
  quorum: z.int().min(1).max(NODE_COUNT_MAX),
  ttlMs: wholeMs(TTL_MIN_MS),
  nodeTimeoutMs: wholeMs(1),
  driftFactor: z.number().min(0).max(0.5),
  persistence: z.enum(["none", "aof-everysec", "aof-always"]),
  fencing: z.boolean(),
  fenceReads: z.boolean(),
  tokenSource: z.enum(["counter", "replicated-counter", "node-counters", "raised-counters"]),
  replicaCount: z.int().min(0).max(5),
  retryJitter: z.number().min(0).max(1),
  checkBeforeWrite: z.boolean(),
  restartAfterMs: wholeMs(0),
  delayedRestart: z.boolean(),
  outage: z.enum(["refuse", "lose", "kill"]),
  noticesSuspension: z.boolean(),
  endsConnections: z.boolean(),
  restartGuard: z.boolean(),
} as const satisfies Record<keyof LabSettings, z.ZodType>;

const SETTINGS_SCHEMA = z.strictObject(SETTING_SHAPES);

/** Some of the settings, as a scenario, a variant or the command line gives them. */
export const PARTIAL_SETTINGS_SCHEMA = SETTINGS_SCHEMA.partial();

export const majorityOf = (nodeCount: number): number => Math.floor(nodeCount / 2) + 1;

/**
 * Checks resolved settings.
 *
 * @throws UsageError one sentence about the first thing that is wrong.
 */
export function checkSettings(settings: LabSettings): void {
  const { success, error } = SETTINGS_SCHEMA.safeParse(settings);
  if (!success) throw new UsageError(sentenceFromIssue("The settings", error.issues));

  const { nodeCount, quorum } = settings;
  if (quorum > nodeCount) {
    throw new UsageError(`A quorum of ${quorum} is more than there are nodes (${nodeCount}).`);
  }
  if (quorum < majorityOf(nodeCount)) {
    const majority = majorityOf(nodeCount);
    throw new UsageError(
      `A quorum of ${quorum} of ${nodeCount} nodes lets two workers win at once; at least ${majority} are needed.`,
    );
  }
}

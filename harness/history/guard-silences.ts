/**
 * When nodes kept silent because of their guard (design rule 8): the guard was missing, or of a process that had
 * gone, or a quarantine was on. Read from the guard's own keys, so that a clock that was disturbed counts as it did
 * on the node.
 */
import { GUARD_KEY, QUARANTINE_KEY, recordFromText } from "../../src/core/guard-record.ts";
import type { NodeName } from "./event.ts";
import type { History } from "./history.ts";
import type { KeyLife } from "./key-life.ts";
import { keyLives } from "./key-lives.ts";
import { oncePerHistory } from "./once-per-history.ts";

/** Half-open; `toMs` is `Infinity` where nobody asked the node any more. */
export interface GuardSilence {
  readonly node: NodeName;
  readonly fromMs: number;
  readonly toMs: number;
}

/** Keys that are no locks: they are left on the nodes, and nobody holds them. */
export function isGuardKey(resource: string): boolean {
  return resource === GUARD_KEY || resource === QUARANTINE_KEY;
}

/** In no particular order, and those of one node may overlap; none where the guard is off. */
export const guardSilences = oncePerHistory(readGuardSilences);

function readGuardSilences(history: History): readonly GuardSilence[] {
  if (history.header.longestLifetimeMs === undefined) return [];
  const lives = keyLives(history).filter(({ resource }) => isGuardKey(resource));
  return history.header.nodes.flatMap((node) => {
    const own = lives
      .filter((life) => life.node === node)
      .toSorted((left, right) => left.fromMs - right.fromMs);
    return [...quarantinesAmong(own), ...withoutGuard(own.filter(({ resource }) => resource === GUARD_KEY))];
  });
}

function quarantinesAmong(lives: readonly KeyLife[]): readonly GuardSilence[] {
  return lives
    .filter(({ resource }) => resource === QUARANTINE_KEY)
    .map(({ node, fromMs, toMs }) => ({ node, fromMs, toMs }));
}

/** What the guards that let the node vote leave. */
function withoutGuard(guards: readonly KeyLife[]): readonly GuardSilence[] {
  const silences: GuardSilence[] = [];
  let sinceMs = 0;
  let isOver = false;
  for (const [index, guard] of guards.entries()) {
    if (isOfTheGone(guard, guards.slice(0, index))) continue;
    if (guard.fromMs > sinceMs) silences.push({ node: guard.node, fromMs: sinceMs, toMs: guard.fromMs });
    sinceMs = guard.toMs;
    isOver = guard.end.kind === "still-there";
  }
  const [first] = guards;
  if (first !== undefined && !isOver) silences.push({ node: first.node, fromMs: sinceMs, toMs: Infinity });
  return silences;
}

/** Found again after a restart as it was before: another process wrote it. That ends no vote of a durable node. */
function isOfTheGone({ value }: KeyLife, before: readonly KeyLife[]): boolean {
  if (recordFromText(value)?.durability === "durable") return false;
  return before.some((life) => life.value === value && life.end.kind === "node-down");
}

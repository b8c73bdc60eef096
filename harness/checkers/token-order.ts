/**
 * I4: do fencing tokens grow? Where a belief had ended before another one began, the later hold has the higher
 * token; and no two holds of one resource ever have the same. Who was invoked first is not asked: a waiter may have
 * been invoked long before. Where nobody had a token there is nothing to compare.
 */
import type { History } from "../history/history.ts";
import { type Hold, holdsOf } from "../history/holds.ts";
import { isBefore, type Moment, momentAt } from "../history/moment.ts";
import { EVIDENCE_MAX, type Evidence, type Verdict, verdictFromEvidence } from "./verdict.ts";
import { formatMs } from "./wording.ts";

/** A hold with a token. The span of its beliefs is empty where it came back past its deadline. */
export interface TokenHold {
  readonly hold: Hold;
  readonly token: bigint;
  readonly from: Moment;
  readonly to: Moment;
}

interface TokenPair {
  readonly earlier: TokenHold;
  readonly later: TokenHold;
}

export function checkTokenOrder(history: History): Verdict {
  const evidence: Evidence[] = [];
  for (const [resource, holds] of tokenHoldsByResource(history)) {
    const repeated = findRepeatedTokens(holds).map((pair) => repetitionOf(pair, resource));
    const falling = findFallingTokens(holds).map((pair) => fallOf(pair, resource));
    evidence.push(...repeated.slice(0, EVIDENCE_MAX), ...falling.slice(0, EVIDENCE_MAX));
  }
  return verdictFromEvidence(evidence);
}

function tokenHoldsByResource(history: History): ReadonlyMap<string, readonly TokenHold[]> {
  const groups = new Map<string, TokenHold[]>();
  for (const hold of holdsOf(history)) {
    if (hold.fencingToken === undefined) continue;
    const group = groups.get(hold.resource) ?? [];
    groups.set(hold.resource, group);
    const from = hold.declared[0]?.from ?? hold.granted;
    group.push({
      hold,
      token: BigInt(hold.fencingToken),
      from,
      to: hold.declared.at(-1)?.to ?? momentAt(from.atMs),
    });
  }
  return groups;
}

/** Each hold whose token an earlier one had, with the first that had it. */
export function findRepeatedTokens(holds: readonly TokenHold[]): readonly TokenPair[] {
  const firsts = new Map<bigint, TokenHold>();
  return holds.flatMap((later) => {
    const earlier = firsts.get(later.token);
    if (earlier === undefined) firsts.set(later.token, later);
    return earlier === undefined ? [] : [{ earlier, later }];
  });
}

/**
 * Each hold with a lower token than one that had ended before it began, with the one of those that has the highest.
 * One pass over beginnings and ends in order: O(n log n).
 */
export function findFallingTokens(holds: readonly TokenHold[]): readonly TokenPair[] {
  const believed = holds.filter(({ from, to }) => isBefore(from, to));
  const byEnd = believed.toSorted((left, right) => compare(left.to, right.to));
  const byStart = believed.toSorted((left, right) => compare(left.from, right.from));
  const pairs: TokenPair[] = [];
  let highest: TokenHold | undefined;
  let endedCount = 0;
  for (const later of byStart) {
    for (;;) {
      const ended = byEnd[endedCount];
      if (ended === undefined || isBefore(later.from, ended.to)) break;
      if (highest === undefined || ended.token > highest.token) highest = ended;
      endedCount += 1;
    }
    if (highest !== undefined && highest.token > later.token) pairs.push({ earlier: highest, later });
  }
  return pairs;
}

function compare(left: Moment, right: Moment): number {
  if (isBefore(left, right)) return -1;
  return isBefore(right, left) ? 1 : 0;
}

function repetitionOf(pair: TokenPair, resource: string): Evidence {
  const { earlier, later } = pair;
  const both = `${nameOf(earlier)}, granted ${resource} at ${formatMs(earlier.hold.granted.atMs)}, and ${nameOf(later)}`;
  return evidenceOf(
    pair,
    `${both}, granted it at ${formatMs(later.hold.granted.atMs)}, have one token, ${later.token}`,
  );
}

function fallOf(pair: TokenPair, resource: string): Evidence {
  const { earlier, later } = pair;
  const before = `although ${nameOf(earlier)} had had ${earlier.token} until ${formatMs(earlier.to.atMs)}`;
  return evidenceOf(
    pair,
    `${nameOf(later)} was granted ${resource} at ${formatMs(later.from.atMs)} with token ${later.token}, ${before}`,
  );
}

function nameOf({ hold }: TokenHold): string {
  return `${hold.worker} (${hold.id})`;
}

function evidenceOf({ earlier, later }: TokenPair, sentence: string): Evidence {
  return {
    sentence,
    fromMs: earlier.hold.granted.atMs,
    toMs: later.hold.granted.atMs,
    seqs: [earlier.hold.granted.seq, later.hold.granted.seq],
  };
}

/**
 * L2: once the trouble was over, did somebody acquire in time? In time is: when the keys of old holds have gone
 * and connections may be up again, one pause between attempts and one round for each worker that tries, because
 * rounds of several may split. That is asked only where somebody was trying who could have succeeded.
 */
import { type AcquireCall, acquiresOf } from "../history/calls.ts";
import type { HistoryEvent, WorkerId } from "../history/event.ts";
import { eventsOf } from "../history/events-of.ts";
import type { History } from "../history/history.ts";
import { type Hold, holdsOf } from "../history/holds.ts";
import type { KeyLife } from "../history/key-life.ts";
import { keyLives } from "../history/key-lives.ts";
import { endOfRun } from "../history/moment.ts";
import { linkOutages, workerDeaths, workerPauses } from "../history/outages.ts";
import { contains, reachabilityOf, type SpanMs, touches } from "./reachability.ts";
import { RECONNECT_ALLOWANCE_MS } from "./reconnect-allowance.ts";
import { type Trouble, troublesOf } from "./trouble.ts";
import { disconnectedSpans } from "./unhindered.ts";
import { type Evidence, unknown, VALID, type Verdict, verdictFromEvidence } from "./verdict.ts";
import { formatMs, listOf } from "./wording.ts";

/** When somebody has to have acquired: from `fromMs`, when nothing stood in the way any more, to `toMs`. */
interface Window extends SpanMs {
  /** A living worker held the resource when the trouble was over, so there was nothing to wait for. */
  readonly wasHeld: boolean;
}

type Judgement =
  | { readonly kind: "recovered" | "untried" | "nothing-to-recover" }
  | { readonly kind: "late"; readonly evidence: Evidence };

/** Less than any step of a run's time. */
const CONNECTED_MS = 0.01;

interface Facts {
  readonly history: History;
  readonly holds: readonly Hold[];
  readonly lives: readonly KeyLife[];
  readonly acquires: readonly AcquireCall[];
  readonly storyEndMs: number;
  readonly longestTtlMs: number;
  readonly impaired: (worker: WorkerId) => readonly SpanMs[];
}

export function checkRecovery(history: History): Verdict {
  const storyEndMs = (eventsOf(history, "story-ended")[0] ?? endOfRun(history.events)).atMs;
  const troubles = troublesOf(history, holdsOf(history), storyEndMs);
  if (troubles.length === 0) return VALID;
  const facts = factsOf(history, storyEndMs);
  const judgements = troubles.map((trouble) => judge(trouble, facts));
  const evidence = judgements.flatMap((judgement) => (judgement.kind === "late" ? [judgement.evidence] : []));
  const isAnswered = judgements.some(({ kind }) => kind === "recovered");
  if (evidence.length === 0 && !isAnswered && judgements.some(({ kind }) => kind === "untried")) {
    return unknown("nobody who could have succeeded tried to acquire after the trouble was over");
  }
  return verdictFromEvidence(evidence);
}

function factsOf(history: History, storyEndMs: number): Facts {
  const { events, header } = history;
  const reachability = reachabilityOf(history);
  const pauses = workerPauses(history);
  const deaths = workerDeaths(history);
  return {
    history,
    holds: holdsOf(history),
    lives: keyLives(history),
    acquires: acquiresOf(history),
    storyEndMs,
    longestTtlMs: events.reduce(longerTtl, header.ttlMs),
    impaired: (worker) => [
      // A node that is back may have to be connected anew; when that time is over, nothing stands in the way.
      ...disconnectedSpans(worker, history).map(({ fromMs, toMs }) => ({
        fromMs,
        toMs: toMs - CONNECTED_MS,
      })),
      ...reachability.withoutQuorum([worker]),
      ...pauses.filter((pause) => pause.worker === worker),
      { fromMs: deaths.get(worker) ?? Infinity, toMs: Infinity },
    ],
  };
}

function longerTtl(longestMs: number, event: HistoryEvent): number {
  return "ttlMs" in event ? Math.max(longestMs, event.ttlMs) : longestMs;
}

function judge(trouble: Trouble, facts: Facts): Judgement {
  const window = windowOf(trouble, facts);
  const grant = facts.holds.find(
    ({ resource, granted }) => resource === trouble.resource && granted.atMs >= trouble.sinceMs,
  );
  if (grant !== undefined && grant.granted.atMs <= window.toMs) return { kind: "recovered" };
  const tries = window.toMs > facts.storyEndMs ? [] : honestTries(trouble.resource, window, facts);
  if (tries.length > 0) return { kind: "late", evidence: evidenceOf(trouble, window, tries) };
  return { kind: window.wasHeld ? "nothing-to-recover" : "untried" };
}

function windowOf({ resource, overAtMs, needsReconnect }: Trouble, facts: Facts): Window {
  const { header } = facts.history;
  const heldUntilMs = endOfHolds(resource, overAtMs, facts.holds);
  const fromMs =
    heldUntilMs +
    residualMs(resource, heldUntilMs, facts) +
    header.nodeStampUncertaintyMs +
    (needsReconnect ? RECONNECT_ALLOWANCE_MS : 0);
  const roundMs = header.retryCapMs + header.nodeTimeoutMs;
  const contenders = new Set(
    callsWithin(resource, { fromMs, toMs: fromMs + roundMs }, facts).map(({ worker }) => worker),
  );
  return {
    fromMs,
    toMs: fromMs + roundMs * Math.max(1, contenders.size) + header.schedulingGraceMs,
    wasHeld: heldUntilMs > overAtMs,
  };
}

/** `atMs`, or the end of the beliefs that follow on from then without a gap: those are no trouble. */
function endOfHolds(resource: string, atMs: number, holds: readonly Hold[]): number {
  const beliefs = holds
    .filter((hold) => hold.resource === resource)
    .flatMap(({ declared }) => declared.map(({ from, to }) => ({ fromMs: from.atMs, toMs: to.atMs })));
  return beliefs.reduce((endMs, belief) => (contains(belief, endMs) ? belief.toMs : endMs), atMs);
}

/**
 * How long the keys that a node held at this time went on standing in the way; never longer than a TTL, and a whole
 * one where nobody recorded any key.
 */
function residualMs(resource: string, atMs: number, { lives, longestTtlMs, history }: Facts): number {
  if (lives.length === 0) return longestTtlMs;
  const lastStartMs = atMs + history.header.nodeStampUncertaintyMs;
  return lives
    .filter((life) => life.resource === resource && life.fromMs <= lastStartMs)
    .map(({ toMs }) => Math.min(longestTtlMs, toMs - atMs))
    .reduce((longestMs, leftMs) => Math.max(longestMs, leftMs), 0);
}

/**
 * Calls that ought to have succeeded: of workers that could reach a quorum meanwhile, made when nothing stood
 * in the way or waiting all the time. Two who refuse each other prove nothing.
 */
function honestTries(resource: string, window: Window, facts: Facts): readonly AcquireCall[] {
  const calls = callsWithin(resource, window, facts);
  return calls.filter((call) => {
    const span = spanOf(call);
    const isWaiting = span.fromMs < window.fromMs && span.toMs >= window.toMs;
    if (span.fromMs < window.fromMs && !isWaiting) return false;
    // Whoever came so late that its round could not end within the window proves nothing about it.
    if (span.fromMs + facts.history.header.nodeTimeoutMs > window.toMs) return false;
    const tried = { fromMs: Math.max(span.fromMs, window.fromMs), toMs: Math.min(span.toMs, window.toMs) };
    if (facts.impaired(call.worker).some((impairment) => touches(impairment, tried))) return false;
    if (hasGhosts(call.worker, tried, facts)) return false;
    const hasRival = calls.some((other) => other.worker !== call.worker && touches(spanOf(other), span));
    return isWaiting || !hasRival;
  });
}

/**
 * Whether a key stood in the way that a rival could not delete: its link to that node was broken, so that nobody is
 * to blame. Keys that stay although the link was whole are.
 */
function hasGhosts(worker: WorkerId, tried: SpanMs, { history, lives }: Facts): boolean {
  const ghosts = lives.filter(
    (life) => touches(life, tried) && life.toMs - life.fromMs > 2 * history.header.nodeTimeoutMs,
  );
  return linkOutages(history).some(({ workers, nodes, ...broken }) => {
    const isOfRival = workers.some((other) => other !== worker);
    return isOfRival && ghosts.some((ghost) => nodes.includes(ghost.node) && touches(broken, ghost));
  });
}

function callsWithin(resource: string, window: SpanMs, { acquires }: Facts): readonly AcquireCall[] {
  return acquires.filter((call) => call.resource === resource && touches(spanOf(call), window));
}

function spanOf({ invoked, returned }: AcquireCall): SpanMs {
  return { fromMs: invoked.atMs, toMs: returned?.moment.atMs ?? Infinity };
}

function evidenceOf(trouble: Trouble, window: Window, tries: readonly AcquireCall[]): Evidence {
  const workers = [...new Set(tries.map(({ worker }) => worker))];
  return {
    sentence:
      `${trouble.what} at ${formatMs(trouble.overAtMs)}, and nothing stood in the way from ` +
      `${formatMs(window.fromMs)} on, but nobody had acquired ${trouble.resource} by ${formatMs(window.toMs)} ` +
      `although ${listOf(workers)} tried`,
    fromMs: trouble.overAtMs,
    toMs: window.toMs,
    seqs: tries.map(({ invoked }) => invoked.seq),
  };
}

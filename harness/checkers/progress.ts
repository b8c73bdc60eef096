/**
 * L3: nobody is locked out for ever. A worker that tries alone, with a quorum in reach and nobody believing, acquires
 * within the time that recovery may take: when the keys that were left have gone, one pause between attempts, one
 * round. Rounds of several may split, so where rivals tried nothing is judged (see split-votes.ts).
 */
import { type AcquireCall, acquiresOf } from "../history/calls.ts";
import type { History } from "../history/history.ts";
import { keyLives } from "../history/key-lives.ts";
import { endOfRun } from "../history/moment.ts";
import { countFromStart } from "./halving.ts";
import { linkOutages } from "../history/outages.ts";
import { type SpanMs, touches } from "./reachability.ts";
import { hindrancesOf } from "./unhindered.ts";
import { type Evidence, type Verdict, verdictFromEvidence } from "./verdict.ts";
import { formatMs } from "./wording.ts";

/** A span in which nothing stood in the way of a call any more. */
interface Chance {
  readonly call: AcquireCall;
  readonly span: SpanMs;
}

/** When the last of the keys that were set by this time has gone. */
type KeysGoneAt = (resource: string, setByMs: number) => number;

export function checkProgress(history: History): Verdict {
  const failed = acquiresOf(history).filter(wasInVain);
  if (failed.length === 0) return verdictFromEvidence([]);
  const { unhindered } = hindrancesOf(history);
  const keysGoneAt = readKeys(history);
  const storyEndMs = endOfStory(history);
  return verdictFromEvidence(
    failed.flatMap((call) => {
      const chances = unhindered(call, storyEndMs).map(({ fromMs, toMs }): Chance => {
        return { call, span: { fromMs: keysGoneAt(call.resource, fromMs), toMs } };
      });
      return chances
        .filter((chance) => hasTimeEnough(chance, history))
        .slice(0, 1)
        .map(evidenceOf);
    }),
  );
}

/** What the caller itself ended, or may not ask, is nobody's fault; an open call may wait for ever. */
function wasInVain({ returned }: AcquireCall): boolean {
  return returned === undefined || returned.code === "contended" || returned.code === "unavailable";
}

/** A pause and a round; a call that was free of everything all the time needs no pause before its round. */
function hasTimeEnough(chance: Chance, history: History): boolean {
  const { header } = history;
  const { invoked, returned } = chance.call;
  const { span } = chance;
  const isWholeCall = span.fromMs === invoked.atMs && span.toMs === returned?.moment.atMs;
  if (isWholeCall && !mayMeetLateCommands(chance, history)) return true;
  return span.toMs - span.fromMs > header.retryCapMs + header.nodeTimeoutMs + header.schedulingGraceMs;
}

/** What a rival sent over a broken link may arrive when its own calls are long over. */
function mayMeetLateCommands({ call, span }: Chance, history: History): boolean {
  return linkOutages(history).some(
    (outage) => outage.workers.some((worker) => worker !== call.worker) && touches(outage, span),
  );
}

function endOfStory({ events }: History): number {
  return (events.find(({ kind }) => kind === "story-ended") ?? endOfRun(events)).atMs;
}

/** Keys that never go do not stretch the bound: it is a TTL at most, and all of it where nobody recorded keys. */
function readKeys(history: History): KeysGoneAt {
  const { header, events } = history;
  const longestTtlMs = events.reduce(
    (longestMs, event) => ("ttlMs" in event ? Math.max(longestMs, event.ttlMs) : longestMs),
    header.ttlMs,
  );
  const lives = keyLives(history);
  const groups = new Map<string, SpanMs[]>();
  for (const life of lives.toSorted((left, right) => left.fromMs - right.fromMs)) {
    const group = groups.get(life.resource) ?? [];
    groups.set(life.resource, group);
    group.push({ fromMs: life.fromMs, toMs: Math.max(life.toMs, group.at(-1)?.toMs ?? 0) });
  }
  return (resource, setByMs) => {
    if (lives.length === 0) return setByMs + longestTtlMs;
    const group = groups.get(resource) ?? [];
    const setCount = countFromStart(group, ({ fromMs }) => fromMs <= setByMs + header.nodeStampUncertaintyMs);
    const goneAtMs = Math.min(setByMs + longestTtlMs, group[setCount - 1]?.toMs ?? 0);
    return goneAtMs > setByMs ? goneAtMs + header.nodeStampUncertaintyMs : setByMs;
  };
}

function evidenceOf({ call, span: { fromMs, toMs } }: Chance): Evidence {
  const ending = call.returned?.code === undefined ? "was still open" : `failed (${call.returned.code})`;
  return {
    sentence:
      `acquire ${call.id} of ${call.worker}, invoked at ${formatMs(call.invoked.atMs)}, ${ending} although nothing ` +
      `stood in its way from ${formatMs(fromMs)} to ${formatMs(toMs)}`,
    fromMs,
    toMs,
    seqs: call.returned === undefined ? [call.invoked.seq] : [call.invoked.seq, call.returned.moment.seq],
  };
}

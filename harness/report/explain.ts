/** One sentence that explains what a run found: who was wronged, when, and what on the nodes let it happen. */
import type { EventOf } from "../history/event.ts";
import type { Hold } from "../history/holds.ts";
import { lossClause } from "./explain-loss.ts";
import { type Finding, findingsOf } from "./findings.ts";
import { msText } from "./quantity-text.ts";
import type { RunResult } from "./run-result.ts";
import { staleWriteSeqs } from "./stale-writes.ts";
import { type RunSpans, runSpansOf } from "./timeline/run-spans.ts";

/** The most telling violation, or the refusal that prevented one; `undefined` where there is nothing to tell. */
export function explainRun(run: RunResult): string | undefined {
  const finding = findingsOf(run)[0];
  if (run.header === undefined) return finding?.evidence[0].sentence;
  const spans = runSpansOf({ header: run.header, events: run.events });
  if (finding === undefined) return refusalSentence(spans);
  return sentenceFor(finding, run, spans) ?? finding.evidence[0].sentence;
}

function sentenceFor(finding: Finding, run: RunResult, spans: RunSpans): string | undefined {
  switch (finding.checker) {
    case "declared":
      return declaredSentence(finding, spans);
    case "stale":
      return staleSentence(run, spans);
    case "actual":
      return actualSentence(finding, spans);
    default:
      return undefined;
  }
}

/** The two holds that the evidence is about, the older one first. */
function rivalsIn({ evidence }: Finding, spans: RunSpans): readonly [Hold, Hold] | undefined {
  const [{ seqs, fromMs }] = evidence;
  const named = spans.holds.filter(({ granted }) => seqs.includes(granted.seq));
  const alive = spans.holds.filter(({ declared, actual }) =>
    [...declared, ...actual].some(({ from, to }) => from.atMs <= fromMs && fromMs < to.atMs),
  );
  const [older, younger] = named.length >= 2 ? named : alive;
  return older === undefined || younger === undefined ? undefined : [older, younger];
}

function declaredSentence(finding: Finding, spans: RunSpans): string | undefined {
  const rivals = rivalsIn(finding, spans);
  if (rivals === undefined) return undefined;
  const [older, younger] = rivals;
  const [{ fromMs, toMs }] = finding.evidence;
  const both = `${younger.worker} and ${older.worker} both believed they held ${older.resource} from ${msText(fromMs)} to ${msText(toMs)}`;
  const loss = lossClause(older, younger, spans);
  return loss === undefined ? both : `${both}: ${loss}`;
}

function staleSentence(run: RunResult, spans: RunSpans): string | undefined {
  const stale = staleWriteSeqs(run);
  const writes = writesOf(spans);
  const write = writes.find(({ seq }) => stale.has(seq));
  const hold = spans.holds.find(({ id }) => id === write?.hold);
  if (write === undefined || hold === undefined) return undefined;
  const overtaken = writes.findLast(
    ({ seq, accepted, worker, resource }) =>
      accepted && seq < write.seq && worker !== write.worker && resource === write.resource,
  );
  const after =
    overtaken === undefined ? "" : `, after ${overtaken.worker} had written at ${msText(overtaken.atMs)}`;
  return `${write.resource} accepted ${write.worker}'s stale write ${write.write} at ${msText(write.atMs)}${after}: ${whyLate(hold, write, spans)}`;
}

function actualSentence(finding: Finding, spans: RunSpans): string | undefined {
  const rivals = rivalsIn(finding, spans);
  const late = rivals?.find(({ believedUntil }) => believedUntil.atMs <= finding.evidence[0].fromMs);
  const other = rivals?.find((hold) => hold !== late);
  const inside = late === undefined || other === undefined ? undefined : meetingOf(late, other);
  if (late === undefined || inside === undefined) return undefined;
  const refused = writesOf(spans).find(({ hold, accepted }) => hold === late.id && !accepted);
  const why = whyLate(late, refused, spans);
  return refused === undefined ? `${inside}: ${why}` : `${inside} (${why}), but ${refusalOf(refused, spans)}`;
}

/** Who was inside and who came in: the late one may be either. */
function meetingOf(late: Hold, other: Hold): string | undefined {
  const [lateStay, otherStay] = [late.actual[0], other.actual[0]];
  if (lateStay === undefined || otherStay === undefined) return undefined;
  return lateStay.from.atMs < otherStay.from.atMs
    ? `${late.worker} was still in its critical section of ${late.resource} when ${other.worker} entered at ${msText(otherStay.from.atMs)}`
    : `${late.worker} entered the critical section of ${late.resource} at ${msText(lateStay.from.atMs)} while ${other.worker} was in it`;
}

/** The pause that kept a worker busy past its deadline, where there was one, and when its lock had ended. */
function whyLate(hold: Hold, write: EventOf<"write-judged"> | undefined, { pauses }: RunSpans): string {
  const ended = `its lock had ended at ${msText(hold.believedUntil.atMs)}`;
  const pause = pauses.find(
    ({ worker, fromMs, toMs }) =>
      worker === hold.worker && fromMs <= hold.believedUntil.atMs && toMs >= hold.believedUntil.atMs,
  );
  if (pause === undefined) return `${hold.worker} worked on although ${ended}`;
  const slept = `${hold.worker} was paused from ${msText(pause.fromMs)} to ${msText(pause.toMs)}`;
  return write === undefined ? `${slept} and ${ended}` : `${slept} and wrote although ${ended}`;
}

function refusalSentence(spans: RunSpans): string | undefined {
  const refused = writesOf(spans).find(({ accepted }) => !accepted);
  return refused === undefined ? undefined : refusalOf(refused, spans);
}

function refusalOf(refused: EventOf<"write-judged">, spans: RunSpans): string {
  const newer = writesOf(spans).findLast(
    ({ seq, accepted, resource }) => accepted && seq < refused.seq && resource === refused.resource,
  );
  const what = `${refused.resource} refused ${refused.worker}'s write ${refused.write} at ${msText(refused.atMs)}`;
  if (refused.fencingToken === undefined || newer?.fencingToken === undefined) return what;
  return `${what} because its fencing token ${refused.fencingToken} is older than ${newer.fencingToken}, with which ${newer.worker} had written at ${msText(newer.atMs)}`;
}

function writesOf({ history }: RunSpans): readonly EventOf<"write-judged">[] {
  return history.events.filter((event) => event.kind === "write-judged");
}

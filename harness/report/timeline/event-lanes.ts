/** Rows of notes: the faults, what the resource did with each write, and where a checker objects. */
import type { Fault } from "../../faults/fault.ts";
import type { EventOf } from "../../history/event.ts";
import { faultText } from "../fault-text.ts";
import type { Finding } from "../findings.ts";
import type { RunResult } from "../run-result.ts";
import { staleWriteSeqs } from "../stale-writes.ts";
import type { Bar, Lane, Note } from "./canvas.ts";
import type { RunSpans } from "./run-spans.ts";

/** Enough to see where; all of them are in the result. */
const CONFLICTS_MAX = 50;

export function faultLane({ plan }: Pick<RunResult, "plan">, spans: RunSpans): Lane {
  const notes = spans.history.events.flatMap((event) => {
    if (event.kind !== "fault-applied") return [];
    const fault = plan?.faults.find(({ id }) => id === event.fault)?.fault;
    return [faultNote(event, fault, spans)];
  });
  return { label: "faults", notes };
}

function faultNote(
  { atMs, seq, fault: id }: EventOf<"fault-applied">,
  fault: Fault | undefined,
  { history, endMs }: RunSpans,
): Note {
  const text = fault === undefined ? id : faultText(fault);
  const note: Note = { atMs, glyph: "faultStart", tint: "bad", text };
  const healed = history.events.find(
    (event) => event.kind === "fault-healed" && event.fault === id && event.seq > seq,
  );
  if (healed !== undefined) return { ...note, lasts: { untilMs: healed.atMs, healed: true } };
  return fault === undefined || isOverAtOnce(fault)
    ? note
    : { ...note, lasts: { untilMs: endMs, healed: false } };
}

function isOverAtOnce({ kind }: Fault): boolean {
  return kind === "jump-clock" || kind === "crash-worker";
}

/** One lane for each resource that was written to. */
export function resourceLanes(
  { checkers }: Pick<RunResult, "checkers">,
  { history }: RunSpans,
): readonly Lane[] {
  const writes = history.events.filter((event) => event.kind === "write-judged");
  const stale = staleWriteSeqs({ checkers, events: history.events });
  return [...new Set(writes.map(({ resource }) => resource))].map((resource) => ({
    label: resource,
    notes: writes
      .filter((write) => write.resource === resource)
      .map(({ atMs, seq, worker, accepted, fencingToken }): Note => {
        const token = fencingToken === undefined ? "" : ` token ${fencingToken}`;
        const text = `${worker}${token}`;
        if (!accepted) return { atMs, glyph: "refused", tint: "notable", text };
        return stale.has(seq)
          ? { atMs, glyph: "stale", tint: "bad", text }
          : { atMs, glyph: "accepted", tint: "good", text };
      }),
  }));
}

const CONFLICT_LABELS = { declared: "two believe", actual: "two inside", danger: "in danger" } as const;

/** Where a checker objects to a span of time; what it says of single events shows at those events. */
export function conflictLanes(findings: readonly Finding[]): readonly Lane[] {
  return findings.flatMap(({ checker, evidence }): readonly Lane[] => {
    if (checker !== "declared" && checker !== "actual" && checker !== "danger") return [];
    const bars = evidence
      .slice(0, CONFLICTS_MAX)
      .map(({ fromMs, toMs }): Bar => ({ fromMs, toMs, glyph: "conflict", tint: "bad" }));
    return [{ label: CONFLICT_LABELS[checker], bars }];
  });
}

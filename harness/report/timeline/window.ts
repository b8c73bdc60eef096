/** The decisive seconds: where the evidence lies, with some time before and after; else the whole story. */
import type { HistoryEvent } from "../../history/event.ts";
import type { Finding } from "../findings.ts";
import type { RunSpans } from "./run-spans.ts";
import type { TimeWindow } from "./scale.ts";

const MARGIN_SHARE = 0.15;
const MARGIN_MIN_MS = 50;

export function decisiveWindow(finding: Finding | undefined, spans: RunSpans): TimeWindow {
  if (finding === undefined) return { fromMs: 0, toMs: storyEndMs(spans) };
  const { fromMs, toMs, seqs } = finding.evidence[0];
  const proofs = spans.history.events.filter(({ seq }) => seqs.includes(seq));
  const timesMs = [fromMs, toMs, ...proofs.flatMap((proof) => timesOf(proof, spans))].filter(Number.isFinite);
  const firstMs = Math.min(...timesMs);
  const lastMs = Math.max(...timesMs);
  const marginMs = Math.max(MARGIN_MIN_MS, (lastMs - firstMs) * MARGIN_SHARE);
  return {
    fromMs: Math.max(0, firstMs - marginMs),
    toMs: Math.max(firstMs + 1, Math.min(lastMs + marginMs, spans.endMs)),
  };
}

/** When it happened, and when the hold that it belongs to began: what a hold did is told from its grant on. */
function timesOf(proof: HistoryEvent, { holds }: RunSpans): readonly number[] {
  const hold = "hold" in proof ? holds.find(({ id }) => id === proof.hold) : undefined;
  return hold === undefined ? [proof.atMs] : [proof.atMs, hold.granted.atMs];
}

/** What comes after the story is settling and the last look at the keys: nothing to see. */
function storyEndMs({ history, endMs }: RunSpans): number {
  const ended = history.events.find(({ kind }) => kind === "story-ended");
  return Math.max(1, ended?.atMs ?? endMs);
}

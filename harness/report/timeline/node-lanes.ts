/** One row for each node: whose key lives there, when it was down or stalled, where its clock was moved. */
import type { NodeName } from "../../history/event.ts";
import type { Bar, Lane, Mark, Tint } from "./canvas.ts";
import type { RunSpans } from "./run-spans.ts";

export function nodeLanes(spans: RunSpans): readonly Lane[] {
  return spans.history.header.nodes.map((node) => ({
    label: node,
    bars: [...keyBars(node, spans), ...outageBars(node, spans)],
    marks: clockMarks(node, spans),
  }));
}

function keyBars(node: NodeName, { keys, owners, history, endMs }: RunSpans): readonly Bar[] {
  return keys
    .filter((key) => key.node === node)
    .map(({ value, fromMs, toMs }) => {
      const worker = owners.get(value);
      const tint: Tint = worker === undefined ? "faint" : history.header.workers.indexOf(worker);
      const bar: Bar = { fromMs, toMs: Math.min(toMs, endMs), glyph: "key", tint };
      return worker === undefined ? bar : { ...bar, label: worker, initial: worker.slice(-1) };
    });
}

function outageBars(node: NodeName, { outages, endMs }: RunSpans): readonly Bar[] {
  return outages
    .filter((outage) => outage.node === node)
    .map(({ kind, fromMs, toMs }) => ({
      fromMs,
      toMs: Math.min(toMs, endMs),
      glyph: kind === "stalled" ? "stalled" : "down",
      tint: "bad",
    }));
}

function clockMarks(node: NodeName, { history }: RunSpans): readonly Mark[] {
  return history.events.flatMap((event): readonly Mark[] =>
    event.kind === "clock-jumped" && event.node === node
      ? [{ atMs: event.atMs, glyph: event.byMs < 0 ? "clockBack" : "clockForward", tint: "bad" }]
      : [],
  );
}

/** Two rows for each worker: what it believed, and what it did. */
import type { EventOf, WorkerId } from "../../history/event.ts";
import type { Bar, Lane, Mark } from "./canvas.ts";
import type { RunSpans } from "./run-spans.ts";

export function workerLanes(spans: RunSpans): readonly Lane[] {
  return spans.history.header.workers.flatMap((worker, place) => [
    beliefLane(worker, place, spans),
    sectionLane(worker, place, spans),
  ]);
}

function beliefLane(worker: WorkerId, place: number, spans: RunSpans): Lane {
  const holds = spans.holds.filter((hold) => hold.worker === worker);
  const believed = holds.flatMap(({ declared }) =>
    declared.map(({ from, to }): Bar => ({ fromMs: from.atMs, toMs: to.atMs, glyph: "belief", tint: place })),
  );
  const deadlines = holds
    .filter(({ ending }) => ending === "expired" || ending === "open")
    .map(({ believedUntil }): Mark => ({ atMs: believedUntil.atMs, glyph: "deadline", tint: place }));
  return {
    label: `${worker} believes`,
    bars: [...askingBars(worker, spans), ...believed],
    marks: [...failedMarks(worker, spans), ...deadlines, ...deathMarks(worker, spans)],
  };
}

/** From each call to its answer; an unanswered call asks until its worker died or the run was over. */
function askingBars(worker: WorkerId, spans: RunSpans): readonly Bar[] {
  const { events } = spans.history;
  const invoked = events.filter(
    (event): event is EventOf<"acquire-invoked"> =>
      event.kind === "acquire-invoked" && event.worker === worker,
  );
  return invoked.map(({ call, atMs }) => {
    const answer = events.find(
      (event) => (event.kind === "acquire-granted" || event.kind === "acquire-failed") && event.call === call,
    );
    const toMs = answer?.atMs ?? spans.deaths.get(worker) ?? spans.endMs;
    return { fromMs: atMs, toMs, glyph: "asking", tint: "faint" };
  });
}

function failedMarks(worker: WorkerId, { history }: RunSpans): readonly Mark[] {
  return history.events.flatMap((event): readonly Mark[] =>
    event.kind === "acquire-failed" && event.worker === worker
      ? [{ atMs: event.atMs, glyph: "failed", tint: "faint" }]
      : [],
  );
}

function deathMarks(worker: WorkerId, { deaths }: RunSpans): readonly Mark[] {
  const atMs = deaths.get(worker);
  return atMs === undefined ? [] : [{ atMs, glyph: "dead", tint: "bad" }];
}

function sectionLane(worker: WorkerId, place: number, spans: RunSpans): Lane {
  const sections = spans.holds
    .filter((hold) => hold.worker === worker)
    .flatMap(({ actual }) =>
      actual.map(
        ({ from, to }): Bar => ({ fromMs: from.atMs, toMs: to.atMs, glyph: "section", tint: place }),
      ),
    );
  const pauses = spans.pauses
    .filter((pause) => pause.worker === worker)
    .map(
      ({ fromMs, toMs }): Bar => ({
        fromMs,
        toMs: Math.min(toMs, spans.endMs),
        glyph: "paused",
        tint: "notable",
      }),
    );
  return { label: `${worker} works`, bars: [...sections, ...pauses], marks: deathMarks(worker, spans) };
}

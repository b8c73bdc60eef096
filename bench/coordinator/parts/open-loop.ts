import type { Part } from "../part.ts";
import { inRounds } from "../rounds.ts";
import { medianOf } from "../../simulation/measure.ts";
import type { Row } from "../row.ts";
import type { SubjectName } from "../subject.ts";

const TIMES_RAW = 2;
const DURATION_MS = 2000;
const CONCURRENCY = 64;
const P99_MAX_MS = 10;

/** Operations arrive at twice the rate that the plain floor gets through. */
export const measureOpenLoop: Part = async ({ open, peers, scale, roundCount }) => {
  const raw = await open("raw");
  const subjects = [await open("ours"), raw, await open("raw-corked")];
  for (const name of peers) if (name === "redlock-5" || name === "redis-kit") subjects.push(await open(name));
  const { opsPerS } = await raw.ask("load", { concurrency: CONCURRENCY, durationMs: DURATION_MS * scale });
  const ask = { ratePerS: TIMES_RAW * opsPerS, durationMs: DURATION_MS * scale };
  const rounds = await inRounds(Math.ceil(roundCount / 2), subjects, (subject) =>
    subject.ask("open-loop", ask),
  );

  const median = (name: SubjectName, figure: "p50Ms" | "p99Ms" | "droppedCount"): number =>
    medianOf((rounds.get(name) ?? []).map((result) => result[figure]));
  const rate = `open loop at ${Math.round(ask.ratePerS)}/s`;
  if (!rounds.has("ours")) return [];
  const rows: Row[] = [
    { figure: `${rate}, p99 ms`, ours: median("ours", "p99Ms"), target: { atMost: P99_MAX_MS } },
    { figure: `${rate}, dropped`, ours: median("ours", "droppedCount"), target: { atMost: 0 } },
  ];
  for (const name of rounds.keys()) {
    if (name === "ours") continue;
    for (const figure of ["p50Ms", "p99Ms", "droppedCount"] as const) {
      const what = { p50Ms: "p50 ms", p99Ms: "p99 ms", droppedCount: "dropped" }[figure];
      rows.push({
        figure: `${rate}, ${what}`,
        ours: median("ours", figure),
        baseline: { name, value: median(name, figure) },
      });
    }
  }
  return rows;
};

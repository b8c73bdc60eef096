import type { Part } from "../part.ts";
import { compare, inRounds } from "../rounds.ts";
import type { LatencyResult } from "../tasks/task.ts";

const OP_COUNT = 1000;
const P50_MAX = 1.05;
const P99_MAX = 1.2;
const GUARDED_P50_MAX = 1.15;

const p50 = ({ opP50Ms }: LatencyResult) => opP50Ms;
const p99 = ({ opP99Ms }: LatencyResult) => opP99Ms;

/** One operation after the other: what a lock costs when nothing else goes on. */
export const measureIdle: Part = async ({ open, peers, scale, roundCount }) => {
  const subjects = [
    await open("ours"),
    await open("raw"),
    await open("raw-corked"),
    await open("ours-guarded"),
  ];
  for (const name of peers) subjects.push(await open(name));
  const ask = { opCount: Math.ceil(OP_COUNT * scale) };
  await inRounds(1, subjects, (subject) => subject.ask("sequential", ask));
  const rounds = await inRounds(roundCount, subjects, (subject) => subject.ask("sequential", ask));
  return [
    ...compare(rounds, {
      figure: "sequential p50 ms",
      baseline: "raw",
      pick: p50,
      target: { atMost: P50_MAX },
    }),
    ...compare(rounds, {
      figure: "sequential p99 ms",
      baseline: "raw",
      pick: p99,
      target: { atMost: P99_MAX },
    }),
    ...compare(rounds, {
      figure: "sequential p50 ms, guarded",
      ours: "ours-guarded",
      baseline: "raw",
      pick: p50,
      target: { atMost: GUARDED_P50_MAX },
    }),
    ...compare(rounds, {
      figure: "sequential CPU us/op",
      baseline: "raw",
      pick: ({ cpuPerOpUs }) => cpuPerOpUs,
    }),
    ...compare(rounds, { figure: "sequential p50 ms", baseline: "raw-corked", pick: p50 }),
    ...peers.flatMap((baseline) => compare(rounds, { figure: "sequential p50 ms", baseline, pick: p50 })),
  ];
};

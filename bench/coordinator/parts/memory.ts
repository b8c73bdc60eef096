import type { Part } from "../part.ts";

const OP_COUNT = 100_000;
const SAMPLE_COUNT = 10;
const CONCURRENCY = 64;
/** By then everything that is bounded by a number has reached it. */
const EARLY_SAMPLE = 4;
const GROWTH_MAX = 1.1;
/** A slow machine needs a minute. */
const LIMIT_MS = 90_000;

/** A silent node keeps nothing: the heap is flat however many locks come and go. */
export const measureMemory: Part = async ({ open, rig, scale }) => {
  const subject = await open("ours");
  const silent = rig.nodes.at(-1);
  silent?.server.stall();
  const ask = {
    opCount: OP_COUNT * Math.max(scale, 1 / 2),
    sampleCount: SAMPLE_COUNT,
    concurrency: CONCURRENCY,
  };
  const { heapMb, failedCount } = await subject
    .ask("memory", ask, LIMIT_MS)
    .finally(() => silent?.server.resume());
  const early = heapMb[EARLY_SAMPLE] ?? Number.NaN;
  const late = heapMb.at(-1) ?? Number.NaN;
  return [
    {
      figure: `heap MB after ${ask.opCount} ops, one node silent`,
      ours: late,
      baseline: { name: "at half time", value: early },
      ratio: late / early,
      target: { atMost: GROWTH_MAX },
    },
    { figure: "failed meanwhile", ours: failedCount, target: { atMost: 0 } },
  ];
};

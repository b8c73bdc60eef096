/** One thread of an exploration: it is given blocks, and answers each with what was covered. */
import { parentPort, workerData } from "node:worker_threads";
import type { DrawOptions } from "../../explore/draw-schedule.ts";
import { exploreBlock } from "../../explore/explore-range.ts";
import type { Block } from "../../explore/blocks.ts";

if (!isOptions(workerData)) throw new Error("explore-pool.ts starts this, with what is to be explored");
const options = workerData;

parentPort?.on("message", (block: Block) => {
  parentPort?.postMessage({ block, tally: exploreBlock(block, options) });
});

function isOptions(data: unknown): data is DrawOptions {
  return typeof data === "object" && data !== null && "seed" in data && "allow" in data && "strategy" in data;
}

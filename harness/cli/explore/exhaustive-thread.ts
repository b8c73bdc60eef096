/** One thread of an exhaustive search: it walks from one start after the other. */
import { parentPort } from "node:worker_threads";
import { type WalkTask, walkStart } from "../../explore/exhaustive/walk-start.ts";

parentPort?.on("message", (task: WalkTask) => {
  const tally = walkStart(task, (count) => parentPort?.postMessage({ kind: "progress", count }));
  parentPort?.postMessage({ kind: "done", task, tally });
});

// Work that takes longer than anybody would like a lock to live after a crash: a short lock, extended while the work
// goes on. Start it twice: the second waits for its turn.
import { Redlock } from "redlock-lab/coordinator";
import { nodes, PATIENCE_MS, restartGuard } from "./nodes.mjs";

const LOCK_MS = 1_000;
const STEPS = 10;

const redlock = new Redlock(nodes, { restartGuard });
redlock.observe((event) => {
  if (event.kind === "extended") console.log("  extended");
});

try {
  await redlock.using("import", LOCK_MS, { waitMs: PATIENCE_MS, maxHoldMs: 60_000 }, async (signal) => {
    for (let step = 1; step <= STEPS; step += 1) {
      // The signal aborts when the lock is lost, and at its deadline at the latest: whoever goes on then works beside another.
      signal.throwIfAborted();
      await new Promise((resolve) => setTimeout(resolve, 200));
      console.log(`step ${step} of ${STEPS}`);
    }
  });
  console.log("done, and released");
} catch (error) {
  console.error(`not done: ${error.message}`);
  process.exitCode = 1;
} finally {
  await redlock.close();
}

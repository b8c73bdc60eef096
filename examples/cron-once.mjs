// A job that several machines start at the same time and that is to run once. Each of them calls this script.
import { Redlock } from "redlock-lab/coordinator";
import { nodes, restartGuard } from "./nodes.mjs";

const JOB = "nightly-report";
// Longer than the machines' clocks are apart: who comes a little late still finds the lock taken.
const LOCK_MS = 20_000;

const redlock = new Redlock(nodes, { restartGuard });
try {
  const lock = await redlock.tryAcquire(JOB, LOCK_MS);
  if (lock === undefined) {
    console.log(`${JOB}: somebody else does it`);
  } else {
    console.log(`${JOB}: it is ours`);
    await writeReport(lock.signal);
    console.log(`${JOB}: done`);
    // It is not released: it runs out by itself, when all the others have come and gone.
  }
} catch (error) {
  // Too few nodes, or nodes that may have forgotten: whether somebody else does it is not known.
  console.error(`${JOB}: ${error.message}`);
  process.exitCode = 1;
} finally {
  await redlock.close();
}

async function writeReport(signal) {
  for (let page = 1; page <= 3; page += 1) {
    signal.throwIfAborted();
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

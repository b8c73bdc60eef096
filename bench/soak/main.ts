/**
 * `npm run soak -- --minutes n`: thousands of locks on real servers while faults come and go; after each round no
 * key may be left, at the end no timer, listener, socket or process, and memory must be flat.
 *
 * Exit codes: 0 nothing is left, 1 something is, 64 an option that cannot be, 70 a program is missing, 130 Ctrl-C
 * ended it early and nothing was left by then.
 */
import { randomInt } from "node:crypto";
import { parseArgs } from "node:util";
import { InfrastructureError } from "../../harness/lab-error.ts";
import { openRig } from "../rig/rig.ts";
import { soakReport } from "./report.ts";
import { soak, type SoakPlan } from "./soak.ts";

const EXIT_PROBLEMS = 1;
const EXIT_USAGE = 64;
const EXIT_INFRASTRUCTURE = 70;
const EXIT_INTERRUPTED = 130;
const SEED_MAX = 1_000_000;
const WORKERS_MAX = 8;
const MS_PER_MINUTE = 60_000;

const plan = planFromArguments();
if (plan === undefined) {
  process.stderr.write(
    `soak: --minutes takes a number above 0, --workers one from 1 to ${WORKERS_MAX}, --seed any text.\n`,
  );
  process.exitCode = EXIT_USAGE;
} else {
  process.exitCode = await main(plan);
}

async function main(given: SoakPlan): Promise<number> {
  const interruption = new AbortController();
  process.on("SIGINT", () => {
    process.stderr.write("soak: ending after this round\n");
    interruption.abort();
  });
  try {
    const rig = await openRig();
    const result = await soak(rig, given, interruption.signal).finally(() => rig.close());
    process.stdout.write(soakReport(given, result));
    if (result.problems.length > 0) return EXIT_PROBLEMS;
    return interruption.signal.aborted ? EXIT_INTERRUPTED : 0;
  } catch (error) {
    if (!(error instanceof InfrastructureError)) throw error;
    process.stderr.write(`soak: ${error.message}\n`);
    return EXIT_INFRASTRUCTURE;
  }
}

/** `undefined` where an option cannot be. */
function planFromArguments(): SoakPlan | undefined {
  try {
    const { values } = parseArgs({
      options: {
        minutes: { type: "string", default: "1" },
        seed: { type: "string", default: String(randomInt(SEED_MAX)) },
        workers: { type: "string", default: "1" },
      },
    });
    const durationMs = Number(values.minutes) * MS_PER_MINUTE;
    const workerCount = Number(values.workers);
    if (!(durationMs > 0 && Number.isFinite(durationMs))) return undefined;
    if (!Number.isInteger(workerCount) || workerCount < 1 || workerCount > WORKERS_MAX) return undefined;
    return { durationMs, seed: values.seed, workerCount };
  } catch {
    // An option that there is not.
    return undefined;
  }
}

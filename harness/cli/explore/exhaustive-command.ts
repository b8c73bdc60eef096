/** `redlock-lab explore --exhaustive`: walks small worlds completely. */
import { type Bound, boundsOf } from "../../explore/exhaustive/bound.ts";
import { listenForInterruption } from "../run/interruption.ts";
import { defaultResultsPath, openResultsFolder } from "../run/results-folder.ts";
import type { CliWorld } from "../world.ts";
import {
  type ExhaustiveReport,
  exhaustiveExitCode,
  exhaustiveText,
  type CoveredBound,
} from "./exhaustive-report.ts";
import { walkBound, type WalkedBound } from "./exhaustive-pool.ts";
import { EXHAUSTIVE_DEFAULTS, type ExploreOptions } from "./explore-options.ts";
import { showFound } from "./show-found.ts";
import { tellSearch } from "./tell-search.ts";

const MS_PER_SECOND = 1000;

/** @throws UsageError, InfrastructureError: one sentence. */
export async function exhaustiveCommand(
  { options, command }: { readonly options: ExploreOptions; readonly command: string },
  world: CliWorld,
): Promise<number> {
  const startedMs = world.nowMs();
  const folder = openResultsFolder(options.out ?? defaultResultsPath(new Date(startedMs).toISOString()), {
    labVersion: world.version,
  });
  const { walked, interrupted } = await walkAll(options, world);
  const failed = walked.flatMap(({ tallies }) => tallies.flatMap(({ failed: plan }) => plan ?? []))[0];
  const found =
    failed === undefined
      ? null
      : showFound(failed, { index: 0, allow: options.allow, options, folder, world });
  const bounds = walked.map(coveredBy);
  const report: ExhaustiveReport = {
    schema: "redlock-lab/exhaustive/1",
    command,
    labVersion: world.version,
    strategy: options.strategy,
    allow: options.allow,
    durationMs: Math.round(world.nowMs() - startedMs),
    ...{ interrupted, bounds, found },
    exitCode: exhaustiveExitCode({ bounds, found, interrupted }),
  };
  const { durationMs, exitCode } = report;
  const name = `every choice in small worlds of ${options.strategy}`;
  const startedAt = new Date(startedMs).toISOString();
  tellSearch(
    { name, command, text: exhaustiveText(report), startedAt, durationMs, exitCode, found },
    report,
    { folder: folder.path, fileName: "exhaustive.json", json: options.json === true, world },
  );
  return report.exitCode;
}

async function walkAll(
  options: ExploreOptions,
  world: CliWorld,
): Promise<{ readonly walked: readonly WalkedBound[]; readonly interrupted: boolean }> {
  const output = options.json === true ? world.err : world.out;
  const interruption = listenForInterruption(world, () =>
    output.write("Stopping; once more ends at once.\n"),
  );
  const stop = new AbortController();
  const end = (): void => stop.abort();
  interruption.signal.addEventListener("abort", end);
  const { seconds } = { ...EXHAUSTIVE_DEFAULTS, ...options };
  const timer = setTimeout(end, seconds * MS_PER_SECOND);
  let played = 0;
  const onPlayed = (count: number): void => {
    played += count;
    if (output.isTerminal) output.write(`\r\u001b[2K${played} schedules`);
  };
  const walked: WalkedBound[] = [];
  try {
    for (const bound of boundsFor(options)) {
      walked.push(await walkBound(bound, { threadCount: options.threads, stop: stop.signal, onPlayed }));
      if (walked.at(-1)?.tallies.some(({ failed }) => failed !== undefined) === true) break;
    }
    return { walked, interrupted: interruption.signal.aborted };
  } finally {
    clearTimeout(timer);
    interruption.stopListening();
    if (output.isTerminal) output.write("\r\u001b[2K");
  }
}

function boundsFor(options: ExploreOptions): readonly Bound[] {
  const { faults, messages, allow, strategy } = { ...EXHAUSTIVE_DEFAULTS, ...options };
  return boundsOf({ faultsMax: faults, messagesMax: messages, allow, strategy });
}

function coveredBy({ bound, tallies, startsInAll, playedCount }: WalkedBound): CoveredBound {
  const { nodeCount, faultsMax, unpromptMax } = bound;
  const faults: Record<string, number> = {};
  let vacuousCount = 0;
  for (const tally of tallies) {
    vacuousCount += tally.vacuousCount;
    for (const [kind, count] of Object.entries(tally.faults)) faults[kind] = (faults[kind] ?? 0) + count;
  }
  const startsCovered = tallies.filter(({ failed }) => failed === undefined).length;
  return {
    nodeCount,
    faultsMax,
    unpromptMax,
    startsCovered,
    startsInAll,
    scheduleCount: playedCount,
    vacuousCount,
    faults,
  };
}

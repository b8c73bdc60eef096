/**
 * `npm run bench`: the coordinator beside the floor that ioredis gives and beside other lock libraries, on five
 * redis-servers of its own. It informs and never fails: a target that is missed is said, and the exit code is 0.
 */
import { writeFileSync } from "node:fs";
import { constants } from "node:os";
import { InfrastructureError, UsageError } from "../../harness/lab-error.ts";
import { type BenchPlan, planFrom } from "./arguments.ts";
import type { Part } from "./part.ts";
import { measureContention } from "./parts/contention.ts";
import { measureFaults } from "./parts/faults.ts";
import { measureIdle } from "./parts/idle.ts";
import { measureImport } from "./parts/import-time.ts";
import { measureLoad } from "./parts/load.ts";
import { measureMajority } from "./parts/majority.ts";
import { measureMemory } from "./parts/memory.ts";
import { measureOpenLoop } from "./parts/open-loop.ts";
import { installPeers } from "./peers/install-peers.ts";
import { type AnyRow, isMet, tableOf, verdictOf } from "./row.ts";
import { runParts } from "./run-parts.ts";
import { PEER_NAMES } from "./subject.ts";

const PARTS: ReadonlyMap<string, Part> = new Map([
  ["idle", measureIdle],
  ["load", measureLoad],
  ["open-loop", measureOpenLoop],
  ["contention", measureContention],
  ["faults", measureFaults],
  ["majority", measureMajority],
  ["memory", measureMemory],
  ["import", measureImport],
]);
const EXIT_USAGE = 64;
const EXIT_INFRASTRUCTURE = 70;
/** What shells add to the number of the signal that ended a program. */
const EXIT_SIGNALLED = 128;
const SIGNALS = ["SIGINT", "SIGTERM"] as const;

process.exitCode = await main();

async function main(): Promise<number> {
  try {
    const plan = planFrom(process.argv.slice(2), [...PARTS.keys()]);
    if (!("help" in plan)) return await measure(plan);
    process.stdout.write(plan.help);
    return 0;
  } catch (error) {
    if (!(error instanceof UsageError) && !(error instanceof InfrastructureError)) throw error;
    process.stderr.write(`bench: ${error.message}\n`);
    return error instanceof UsageError ? EXIT_USAGE : EXIT_INFRASTRUCTURE;
  }
}

async function measure(plan: BenchPlan): Promise<number> {
  let exitCode = 0;
  const ending = new AbortController();
  for (const name of SIGNALS) {
    process.on(name, () => {
      if (exitCode === 0) process.stderr.write(`bench: ending (${name})\n`);
      exitCode ||= EXIT_SIGNALLED + constants.signals[name];
      ending.abort();
    });
  }
  const rows: AnyRow[] = [];
  const onRows = (part: string, measured: readonly AnyRow[]): void => {
    if (measured.length === 0) return;
    rows.push(...measured);
    process.stdout.write(`${part}\n${tableOf(measured)}\n`);
  };
  const peersFolder = plan.wantsPeers ? await peersFolderOr(onRows, ending.signal) : undefined;
  await runParts({
    parts: new Map(plan.parts.flatMap((name) => [...PARTS].filter(([known]) => known === name))),
    isShort: plan.isShort,
    peersFolder,
    signal: ending.signal,
    onRows,
  });
  const isPartial = ending.signal.aborted;
  if (!isPartial) process.stdout.write(`${verdictOf(rows)}\n`);
  if (plan.jsonPath !== undefined) write(plan.jsonPath, rows, isPartial);
  return exitCode;
}

/** Without the others there are still the floors. */
async function peersFolderOr(
  onRows: (part: string, rows: readonly AnyRow[]) => void,
  signal: AbortSignal,
): Promise<string | undefined> {
  try {
    return await installPeers(signal);
  } catch (error) {
    if (!(error instanceof InfrastructureError)) throw error;
    if (signal.aborted) return undefined;
    process.stderr.write(`bench: ${error.message}\n`);
    const failure = "it cannot be installed";
    onRows(
      "peers",
      PEER_NAMES.map((subject) => ({ figure: "install", subject, failure })),
    );
    return undefined;
  }
}

function write(path: string, rows: readonly AnyRow[], isPartial: boolean): void {
  const judged = rows.map((row) => ({ ...row, isMet: isMet(row) }));
  writeFileSync(path, `${JSON.stringify({ isPartial, rows: judged }, undefined, 2)}\n`);
}

import { countCommands } from "../command-count.ts";
import type { Bench, Part } from "../part.ts";
import { unlessFailed } from "../rounds.ts";
import { medianOf } from "../../simulation/measure.ts";
import type { Row } from "../row.ts";
import type { SubjectName } from "../subject.ts";
import type { SubjectProcess } from "../subject-process.ts";

const CONTENDER_COUNT = 32;
const PROCESS_COUNT = 4;
const DURATION_MS = 2000;
/** Of those that are judged against each other. */
const ROUND_COUNT = 3;
const HOLD_MS = 1;
/** Whoever still waits for the lock so long after the end will never have it. */
const SETTLE_MS = 5000;
const RETRY = { delayMs: 5, jitterMs: 5 };
const MS_PER_S = 1000;

const TO_POLLING_MIN = 1.5;
const SPREAD_MAX_ALONE = 1.2;
const COMMANDS_MAX_ALONE = 20;
const SPREAD_MAX_APART = 4;
const COMMANDS_MAX_APART = 60;

/** What several rounds of one subject gave. */
interface Contended {
  /** For each round. */
  readonly grantsPerS: readonly number[];
  /** Of the luckiest contender to the unluckiest, over all rounds. */
  readonly spread: number;
  readonly starvedCount: number;
  readonly commandsPerGrant: number;
}

/** Many want one resource, in one process and in several. */
export const measureContention: Part = async (bench) => {
  const rows: Row[] = [];
  for (const { processCount, demands } of [
    { processCount: 1, demands: ALONE },
    { processCount: PROCESS_COUNT, demands: APART },
  ]) {
    const judged = await contendInTurn(bench, ["ours", "raw"], { processCount, roundCount: ROUND_COUNT });
    const others = new Map<SubjectName, Contended>();
    // One after the other: many idle processes would be in each other's way.
    for (const name of bench.peers) {
      const contended = await contendInTurn(bench, [name], { processCount, roundCount: 1 });
      for (const [theirName, theirs] of contended) others.set(theirName, theirs);
    }
    const where = processCount === 1 ? "in one process" : `in ${processCount} processes`;
    rows.push(...rowsOf(where, new Map([...judged, ...others]), demands));
  }
  return rows;
};

interface Demands {
  readonly grantsToPolling?: number;
  readonly spread: number;
  readonly commands: number;
}

const ALONE: Demands = {
  grantsToPolling: TO_POLLING_MIN,
  spread: SPREAD_MAX_ALONE,
  commands: COMMANDS_MAX_ALONE,
};
const APART: Demands = { spread: SPREAD_MAX_APART, commands: COMMANDS_MAX_APART };

function rowsOf(
  where: string,
  contended: ReadonlyMap<SubjectName, Contended>,
  demands: Demands,
): readonly Row[] {
  const ours = contended.get("ours");
  if (ours === undefined) return [];
  const figure = (what: string) => `${CONTENDER_COUNT} contenders ${where}, ${what}`;
  const rows: Row[] = [
    { figure: figure("max/min"), ours: ours.spread, target: { atMost: demands.spread } },
    { figure: figure("commands/grant"), ours: ours.commandsPerGrant, target: { atMost: demands.commands } },
    { figure: figure("starved"), ours: ours.starvedCount, target: { atMost: 0 } },
  ];
  for (const [name, theirs] of contended) {
    if (name === "ours") continue;
    const { grantsToPolling } = demands;
    const pairs = Math.min(ours.grantsPerS.length, theirs.grantsPerS.length);
    const ratios = ours.grantsPerS
      .slice(0, pairs)
      .map((value, round) => value / (theirs.grantsPerS[round] ?? Number.NaN));
    rows.push({
      figure: figure("grants/s"),
      ours: medianOf(ours.grantsPerS),
      baseline: { name, value: medianOf(theirs.grantsPerS) },
      ratio: medianOf(ratios),
      ...(name === "raw" && grantsToPolling !== undefined ? { target: { atLeast: grantsToPolling } } : {}),
    });
    rows.push(besides(figure("max/min"), ours.spread, { name, value: theirs.spread }));
    rows.push(
      besides(figure("commands/grant"), ours.commandsPerGrant, { name, value: theirs.commandsPerGrant }),
    );
  }
  return rows;
}

function besides(figure: string, ours: number, baseline: NonNullable<Row["baseline"]>): Row {
  return { figure, ours, baseline };
}

interface Crowd {
  readonly processCount: number;
  readonly roundCount: number;
}

/** Round after round, each subject in turn; those that fail are left out. */
async function contendInTurn(
  bench: Bench,
  names: readonly SubjectName[],
  { processCount, roundCount }: Crowd,
): Promise<ReadonlyMap<SubjectName, Contended>> {
  const groups = new Map<SubjectName, SubjectProcess[]>();
  for (const name of names) {
    const subjects: SubjectProcess[] = [];
    for (let count = 0; count < processCount; count++) {
      subjects.push(await bench.open(name, { retry: RETRY }));
    }
    groups.set(name, subjects);
  }
  const rounds = new Map<SubjectName, ContendedRound[]>(names.map((name) => [name, []]));
  for (let round = 0; round < roundCount; round++) {
    for (const [name, subjects] of round % 2 === 0 ? groups : [...groups].reverse()) {
      const result = await contend(bench, subjects, round);
      if (result === undefined) rounds.delete(name);
      else rounds.get(name)?.push(result);
    }
  }
  for (const subject of [...groups.values()].flat()) subject.close();
  return new Map([...rounds].map(([name, results]) => [name, contendedOf(results)]));
}

interface ContendedRound {
  /** For each contender, in the same order in each round. */
  readonly grantCounts: readonly number[];
  readonly durationMs: number;
  readonly commandCount: number;
}

/** `undefined` where one of the processes has failed. */
async function contend(
  bench: Bench,
  subjects: readonly SubjectProcess[],
  round: number,
): Promise<ContendedRound | undefined> {
  const durationMs = DURATION_MS * bench.scale;
  const ask = {
    resource: `bench:contended:${subjects[0]?.name ?? ""}:${subjects.length}:${round}`,
    contenderCount: CONTENDER_COUNT / subjects.length,
    durationMs,
    holdMs: HOLD_MS,
  };
  const limitMs = durationMs + SETTLE_MS;
  const before = await countCommands(bench.rig);
  const results = await Promise.all(
    subjects.map((subject) => unlessFailed(subject, () => subject.ask("contend", ask, limitMs))),
  );
  const commandCount = (await countCommands(bench.rig)) - before;
  const grantCounts = results.flatMap((result) => result?.grantCounts ?? []);
  return results.includes(undefined) ? undefined : { grantCounts, durationMs, commandCount };
}

function contendedOf(rounds: readonly ContendedRound[]): Contended {
  const sums = Array.from({ length: CONTENDER_COUNT }, (_, contender) =>
    sumOf(rounds.map(({ grantCounts }) => grantCounts[contender] ?? 0)),
  );
  return {
    grantsPerS: rounds.map(({ grantCounts, durationMs }) => (sumOf(grantCounts) / durationMs) * MS_PER_S),
    spread: Math.max(...sums) / Math.max(Math.min(...sums), 1),
    starvedCount: sums.filter((count) => count === 0).length,
    commandsPerGrant: sumOf(rounds.map(({ commandCount }) => commandCount)) / sumOf(sums),
  };
}

function sumOf(counts: readonly number[]): number {
  return counts.reduce((sum, count) => sum + count, 0);
}

import { countCommands } from "../command-count.ts";
import type { Bench, Part } from "../part.ts";
import type { Row } from "../row.ts";
import type { SubjectName } from "../subject.ts";
import type { SubjectProcess } from "../subject-process.ts";

const CONTENDER_COUNT = 32;
const PROCESS_COUNT = 4;
const DURATION_MS = 4000;
const HOLD_MS = 1;
const RETRY = { delayMs: 5, jitterMs: 5 };
const MS_PER_S = 1000;

const TO_POLLING_MIN = 1.5;
const SPREAD_MAX_ALONE = 1.2;
const COMMANDS_MAX_ALONE = 20;
const SPREAD_MAX_APART = 4;
const COMMANDS_MAX_APART = 60;

interface Contended {
  readonly grantsPerS: number;
  /** Of the luckiest contender to the unluckiest. */
  readonly spread: number;
  readonly starvedCount: number;
  readonly commandsPerGrant: number;
}

/** Many want one resource, in one process and in several. */
export const measureContention: Part = async (bench) => {
  const alone = new Map<SubjectName, Contended>();
  const apart = new Map<SubjectName, Contended>();
  const names: readonly SubjectName[] = ["ours", "raw", ...bench.peers];
  for (const name of names) {
    alone.set(name, await contend(bench, name, 1));
    apart.set(name, await contend(bench, name, PROCESS_COUNT));
  }
  return [
    ...rowsOf("in one process", alone, ALONE),
    ...rowsOf(`in ${PROCESS_COUNT} processes`, apart, APART),
  ];
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
    rows.push({
      figure: figure("grants/s"),
      ours: ours.grantsPerS,
      baseline: { name, value: theirs.grantsPerS },
      ratio: ours.grantsPerS / theirs.grantsPerS,
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

async function contend(bench: Bench, name: SubjectName, processCount: number): Promise<Contended> {
  const subjects: SubjectProcess[] = [];
  for (let count = 0; count < processCount; count++) subjects.push(await bench.open(name, { retry: RETRY }));
  const durationMs = DURATION_MS * bench.scale;
  const ask = {
    resource: `bench:contended:${name}:${processCount}`,
    contenderCount: CONTENDER_COUNT / processCount,
    durationMs,
    holdMs: HOLD_MS,
  };
  const before = await countCommands(bench.rig);
  const results = await Promise.all(subjects.map((subject) => subject.ask("contend", ask)));
  const commandCount = (await countCommands(bench.rig)) - before;
  for (const subject of subjects) subject.close();

  const grantCounts = results.flatMap((result) => result.grantCounts);
  const grantCount = grantCounts.reduce((sum, count) => sum + count, 0);
  return {
    grantsPerS: (grantCount / durationMs) * MS_PER_S,
    spread: Math.max(...grantCounts) / Math.max(Math.min(...grantCounts), 1),
    starvedCount: grantCounts.filter((count) => count === 0).length,
    commandsPerGrant: commandCount / grantCount,
  };
}

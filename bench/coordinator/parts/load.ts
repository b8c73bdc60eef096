import type { Bench, Part } from "../part.ts";
import { compare, inRounds, type Rounds } from "../rounds.ts";
import type { Row, Target } from "../row.ts";
import type { SubjectName } from "../subject.ts";
import type { SubjectProcess } from "../subject-process.ts";
import type { LoadResult } from "../tasks/task.ts";

const DURATION_MS = 400;
const JUDGED_AT = 64;
const OTHERS_AT = [1, 16, 256];
/** Nothing is demanded of them. */
const OTHERS_ROUND_COUNT = 3;
/** What a slow machine gives; a fast one gives 7. */
const TO_RAW_MIN = 4;
const TO_CORKED_MIN = 0.85;
const CPU_TO_CORKED_MAX = 1.2;
/** Of those that are judged against a peer: the fastest of them, and the one most use. */
const TO_PEER_MIN: Partial<Record<SubjectName, number>> = { "redis-kit": 1.5, "redlock-5": 4 };

const speed = ({ opsPerS }: LoadResult) => opsPerS;

/** Many at once: what a busy process gets through. */
export const measureLoad: Part = async (bench) => {
  const subjects = [await bench.open("ours"), await bench.open("raw"), await bench.open("raw-corked")];
  for (const name of bench.peers) subjects.push(await bench.open(name));
  await measureAt(JUDGED_AT, subjects, { ...bench, roundCount: 1 });
  const judged = await measureAt(JUDGED_AT, subjects, bench);
  const compareJudged = (baseline: SubjectName, target?: Target): readonly Row[] =>
    compareSpeed(judged, { concurrency: JUDGED_AT, baseline, target });
  const rows = [
    ...compareJudged("raw-corked", { atLeast: TO_CORKED_MIN }),
    ...compareJudged("raw", { atLeast: TO_RAW_MIN }),
    ...bench.peers.flatMap((name) => compareJudged(name, peerTarget(name))),
    ...compare(judged, {
      figure: `CPU us/op at ${JUDGED_AT}`,
      baseline: "raw-corked",
      pick: ({ cpuPerOpUs }) => cpuPerOpUs,
      target: { atMost: CPU_TO_CORKED_MAX },
    }),
  ];
  for (const concurrency of OTHERS_AT) {
    const rounds = await measureAt(concurrency, subjects, { ...bench, roundCount: OTHERS_ROUND_COUNT });
    for (const { name } of subjects.slice(1))
      rows.push(...compareSpeed(rounds, { concurrency, baseline: name }));
  }
  return rows;
};

function measureAt(
  concurrency: number,
  subjects: readonly SubjectProcess[],
  { scale, roundCount }: Pick<Bench, "scale" | "roundCount">,
): Promise<Rounds<LoadResult>> {
  const ask = { concurrency, durationMs: DURATION_MS * scale };
  return inRounds(roundCount, subjects, (subject) => subject.ask("load", ask));
}

interface Beside {
  readonly concurrency: number;
  readonly baseline: SubjectName;
  readonly target?: Target | undefined;
}

function compareSpeed(rounds: Rounds<LoadResult>, { concurrency, baseline, target }: Beside): readonly Row[] {
  const comparison = { figure: `ops/s at ${concurrency}`, baseline, pick: speed };
  return compare(rounds, target === undefined ? comparison : { ...comparison, target });
}

function peerTarget(name: SubjectName): Target | undefined {
  const atLeast = TO_PEER_MIN[name];
  return atLeast === undefined ? undefined : { atLeast };
}

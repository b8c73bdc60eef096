/** What an exhaustive search covered and found. Pure. */
import type { Bound } from "../../explore/exhaustive/bound.ts";
import { EXIT_CODES, gravestOf } from "../../report/exit-code.ts";
import type { Found } from "./explore-report.ts";

export interface CoveredBound extends Pick<Bound, "nodeCount" | "faultsMax" | "unpromptMax"> {
  readonly startsCovered: number;
  readonly startsInAll: number;
  readonly scheduleCount: number;
  readonly vacuousCount: number;
  readonly faults: Readonly<Record<string, number>>;
}

export interface ExhaustiveReport {
  readonly schema: "redlock-lab/exhaustive/1";
  readonly command: string;
  readonly labVersion: string;
  readonly strategy: string;
  readonly allow: readonly string[];
  readonly durationMs: number;
  readonly interrupted: boolean;
  readonly bounds: readonly CoveredBound[];
  readonly found: Found | null;
  readonly exitCode: number;
}

const isWalked = ({ startsCovered, startsInAll }: CoveredBound): boolean => startsCovered === startsInAll;

/** Not to have come to the end is no violation, and no proof either. */
export function exhaustiveExitCode({
  bounds,
  found,
  interrupted,
}: Pick<ExhaustiveReport, "bounds" | "found" | "interrupted">): number {
  const codes: number[] = [];
  if (interrupted) codes.push(EXIT_CODES.interrupted);
  if (found?.isDeterministic === false) codes.push(EXIT_CODES.nonDeterministic);
  if (found !== null) codes.push(EXIT_CODES.safety);
  else if (!bounds.every(isWalked)) codes.push(EXIT_CODES.inconclusive);
  return gravestOf(codes);
}

export function exhaustiveText({ bounds, found, strategy, allow, durationMs }: ExhaustiveReport): string {
  const lifted = allow.length === 0 ? "inside the envelope" : `with ${allow.join(", ")} lifted`;
  const seconds = (durationMs / 1000).toFixed(1);
  return [
    `Two workers of ${strategy} ${lifted}, every choice in turn (${seconds} s):`,
    ...bounds.map(boundLine),
    "",
    ...(found === null ? [verdictOf(bounds)] : foundLines(found)),
  ].join("\n");
}

function boundLine(bound: CoveredBound): string {
  const { nodeCount, faultsMax, unpromptMax, startsCovered, startsInAll, scheduleCount } = bound;
  const messages = unpromptMax === 0 ? "all messages prompt" : `up to ${unpromptMax} messages late or lost`;
  const covered = isWalked(bound)
    ? "walked completely"
    : `NOT walked to the end: ${startsCovered} of ${startsInAll} starts of the second worker`;
  return `  ${nodeCount} nodes, up to ${faultsMax} faults, ${messages}: ${scheduleCount} schedules, ${covered}.`;
}

function verdictOf(bounds: readonly CoveredBound[]): string {
  const rest = bounds.every(isWalked)
    ? ""
    : " What was not walked may still hold one: give it more --seconds.";
  return `No schedule showed two who believe, a rival who could win, or a delete of somebody else's value.${rest}`;
}

function foundLines({ story, replay, faults, triesCount, digest }: Found): readonly string[] {
  return [
    `One showed what must not be. ${faults.before} faults were shrunk to ${faults.after} with ${triesCount} smaller schedules; its digest is ${digest}.`,
    "",
    ...story.map((sentence) => `  ${sentence}.`),
    "",
    `Again: ${replay}`,
  ];
}

/** What an exploration found, for machines and for people. Pure. */
import type { BackendName } from "../../backends/backend.ts";
import type { Allowance } from "../../explore/allowance.ts";
import type { Counterexample } from "../../explore/counterexample.ts";
import type { Tally } from "../../explore/explore-range.ts";
import type { Shard } from "../../runner/shard.ts";
import { EXIT_CODES, gravestOf } from "../../report/exit-code.ts";

export const EXPLORE_SCHEMA = "redlock-lab/explore/1";

/** Everything that decides what an exploration finds. */
export interface ExploreQuestion {
  readonly labVersion: string;
  /** Absent: the simulation. */
  readonly backend?: BackendName;
  readonly seed: string;
  readonly schedules: number;
  readonly allow: readonly Allowance[];
  readonly strategy: string;
  readonly faultsMax: number;
}

export interface ExploreReport {
  readonly schema: typeof EXPLORE_SCHEMA;
  readonly command: string;
  readonly question: ExploreQuestion;
  readonly shards: readonly Shard[];
  readonly durationMs: number;
  readonly interrupted: boolean;
  readonly tally: Tally;
  readonly found: Found | null;
  readonly exitCode: number;
}

export interface Found {
  readonly index: number;
  readonly kind: "unsafe" | "late";
  readonly checker: string;
  readonly digest: string;
  /** `null` where it was shrunk on real servers. */
  readonly isDeterministic: boolean | null;
  readonly faults: { readonly before: number; readonly after: number };
  readonly triesCount: number;
  readonly story: readonly string[];
  /** Of its run, in the folder of the results. */
  readonly folder: string;
  readonly replay: string;
}

/** Where the counterexample lies, and what plays it again. */
export interface FoundPlace {
  readonly folder: string;
  readonly replay: string;
}

export function foundFrom(index: number, counterexample: Counterexample, place: FoundPlace): Found {
  const { finding, digest, isDeterministic, faultCountBefore, triesCount, causes, plan } = counterexample;
  return {
    index,
    kind: finding.kind,
    checker: finding.checker,
    digest,
    isDeterministic,
    faults: { before: faultCountBefore, after: plan.faults.length },
    triesCount,
    story: causes,
    ...place,
  };
}

export function exploreExitCode({
  tally,
  found,
  interrupted,
}: Pick<ExploreReport, "tally" | "found" | "interrupted">): number {
  const codes: number[] = [];
  if (interrupted) codes.push(EXIT_CODES.interrupted);
  if (found?.isDeterministic === false) codes.push(EXIT_CODES.nonDeterministic);
  if (found?.kind === "unsafe") codes.push(EXIT_CODES.safety);
  if (found?.kind === "late") codes.push(EXIT_CODES.liveness);
  // Where nobody met anybody nothing was shown.
  if (tally.vacuousCount === tally.scheduleCount) codes.push(EXIT_CODES.inconclusive);
  return gravestOf(codes);
}

export function exploreText(report: ExploreReport): string {
  const { tally, question, durationMs, found } = report;
  const perSecond = (tally.scheduleCount / Math.max(1, durationMs)) * 1000;
  const lifted =
    question.allow.length === 0 ? "inside the envelope" : `with ${question.allow.join(", ")} lifted`;
  const lines = [
    `${tally.scheduleCount} schedules of ${question.strategy} ${lifted}${question.backend === undefined ? "" : ` on ${question.backend}`}, seed ${question.seed}: ${rateText(perSecond)} a second; ${tally.vacuousCount} showed nothing because nobody met anybody.`,
    "",
    ...coverageLines(tally),
    "",
  ];
  return [...lines, ...(found === null ? [verdictLine(report)] : foundLines(found))].join("\n");
}

function verdictLine({ tally, interrupted }: ExploreReport): string {
  if (interrupted) return "Interrupted: none of the schedules so far showed what must not be.";
  if (tally.vacuousCount === tally.scheduleCount) return "No schedule showed anything.";
  return "No schedule showed what must not be.";
}

function coverageLines({ faults }: Tally): readonly string[] {
  const rows = Object.entries(faults).toSorted(([left], [right]) => (left < right ? -1 : 1));
  if (rows.length === 0) return ["No fault took hold."];
  return [
    "fault              took hold   relevant",
    ...rows.map(
      ([kind, { applied, relevant }]) =>
        `${kind.padEnd(18)} ${String(applied).padStart(9)}  ${String(relevant).padStart(9)}`,
    ),
  ];
}

function foundLines(found: Found): readonly string[] {
  const { index, faults, triesCount } = found;
  return [
    `Schedule ${index} showed what must not be (${found.checker}). ${faults.before} faults were shrunk to ${faults.after} with ${triesCount} smaller schedules; ${sameness(found)}.`,
    "",
    ...found.story
      .map((sentence) => `  ${sentence};`)
      .map((line, at, all) => (at === all.length - 1 ? `${line.slice(0, -1)}.` : line)),
    "",
    `Again: ${found.replay}`,
  ];
}

function sameness({ isDeterministic, digest }: Found): string {
  if (isDeterministic === null) return "it shows on real servers";
  return isDeterministic ? `played twice, its digest is ${digest}` : "played twice, IT DIFFERED";
}

/** Servers play less than one a second. */
function rateText(perSecond: number): string {
  return perSecond < 10 ? perSecond.toFixed(1) : String(Math.round(perSecond));
}

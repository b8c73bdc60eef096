/** `redlock-lab check`: judges stored histories, of any backend or of a user's own service. */
import { type CheckerName, CHECKER_NAMES } from "../../checkers/checker-name.ts";
import { type Command, InvalidArgumentError, Option } from "commander";
import { exitCodeFor } from "../../report/exit-code.ts";
import { checkJson } from "../../report/json.ts";
import type { LabReport } from "../../report/run-result.ts";
import { tellReport } from "../run/tell-report.ts";
import type { CliWorld } from "../world.ts";
import { judgeFile } from "./judge-file.ts";

export interface CheckOptions {
  readonly only: readonly CheckerName[];
  readonly json?: true;
  readonly ascii?: true;
}

export interface CheckInvocation {
  readonly files: readonly string[];
  readonly options: CheckOptions;
  /** The command line as it was typed, for the report. */
  readonly command: string;
}

export function addCheckOptions(command: Command): Command {
  return command
    .addOption(
      new Option("--only <checkers>", "demand only these, as declared,actual; what others say is excused")
        .argParser(checkerNames)
        .default([], "all"),
    )
    .option("--json", "print only JSON on standard output")
    .option("--ascii", "draw with ASCII characters only");
}

/** Given twice, both count. */
function checkerNames(text: string, before: readonly CheckerName[]): readonly CheckerName[] {
  const names = text.split(",").map((name) => {
    const known = CHECKER_NAMES.find((checker) => checker === name.trim());
    if (known !== undefined) return known;
    throw new InvalidArgumentError(`The checkers are ${CHECKER_NAMES.join(", ")}.`);
  });
  return [...before, ...names];
}

/**
 * @returns the exit code.
 * @throws UsageError one sentence: a file that is no history. Nothing has been said then.
 */
export function checkCommand({ files, options, command }: CheckInvocation, world: CliWorld): number {
  const startedMs = world.nowMs();
  const runs = files.map((path, index) => judgeFile({ path, place: index + 1, only: options.only }));
  const report: LabReport = {
    version: 1,
    command,
    startedAt: new Date(startedMs).toISOString(),
    durationMs: Math.round(world.nowMs() - startedMs),
    exitCode: exitCodeFor(runs, { interrupted: false }),
    interrupted: false,
    runs,
    thresholds: [],
  };
  if (options.json) world.out.write(checkJson(report, files));
  else tellReport(report, { world, ascii: options.ascii ?? false });
  return report.exitCode;
}

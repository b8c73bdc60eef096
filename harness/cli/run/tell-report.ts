/** What people read when a command is over: the stories, the table, and what the exit code means. */
import { EXIT_CODES } from "../../report/exit-code.ts";
import { exitMeaning } from "../../report/exit-meaning.ts";
import type { LabReport } from "../../report/run-result.ts";
import { terminalReport } from "../../report/terminal-report.ts";
import { WIDTH_DEFAULT } from "../../report/timeline.ts";
import { paletteFor } from "../colours.ts";
import type { CliWorld } from "../world.ts";

const WIDTH_MAX = 160;

export function tellReport(
  { runs, exitCode }: Pick<LabReport, "runs" | "exitCode">,
  { world: { out, env }, ascii }: { readonly world: CliWorld; readonly ascii: boolean },
): void {
  const palette = paletteFor(out, env);
  const width = Math.min(out.columns ?? WIDTH_DEFAULT, WIDTH_MAX);
  const text = terminalReport(runs, { width, palette, ascii });
  if (runs.length > 0) out.write(`\n${text}\n\n`);
  const paint = exitCode === EXIT_CODES.ok ? palette.good : palette.bad;
  out.write(`${paint(`Exit code ${exitCode}`)}: ${exitMeaning(exitCode)}.\n`);
}

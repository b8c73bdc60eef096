/** What people read when a command is over: the stories, the table, and what the exit code means. */
import { thresholdSentence } from "../../report/ci/threshold.ts";
import type { ThresholdResult } from "../../report/ci/threshold-result.ts";
import { EXIT_CODES } from "../../report/exit-code.ts";
import { exitMeaning } from "../../report/exit-meaning.ts";
import type { LabReport } from "../../report/run-result.ts";
import type { Palette } from "../../report/palette.ts";
import { terminalReport } from "../../report/terminal-report.ts";
import { WIDTH_DEFAULT } from "../../report/timeline.ts";
import { paletteFor } from "../colours.ts";
import type { CliWorld } from "../world.ts";

const WIDTH_MAX = 160;

export function tellReport(
  { runs, thresholds, exitCode }: Pick<LabReport, "runs" | "thresholds" | "exitCode">,
  { world: { out, env }, ascii }: { readonly world: CliWorld; readonly ascii: boolean },
): void {
  const palette = paletteFor(out, env);
  const width = Math.min(out.columns ?? WIDTH_DEFAULT, WIDTH_MAX);
  const text = terminalReport(runs, { width, palette, ascii });
  if (runs.length > 0) out.write(`\n${text}\n\n`);
  for (const result of thresholds) {
    out.write(`${signOf(result, { ascii, palette })} ${thresholdSentence(result)}\n`);
  }
  if (thresholds.length > 0) out.write("\n");
  const paint = exitCode === EXIT_CODES.ok ? palette.good : palette.bad;
  out.write(`${paint(`Exit code ${exitCode}`)}: ${exitMeaning(exitCode)}.\n`);
}

function signOf(
  { outcome }: ThresholdResult,
  { ascii, palette }: { readonly ascii: boolean; readonly palette: Palette },
): string {
  switch (outcome) {
    case "kept":
      return palette.good(ascii ? "ok" : "✓");
    case "breached":
      return palette.bad(ascii ? "!!" : "✗");
    case "unmeasured":
      return palette.bad("?");
  }
}

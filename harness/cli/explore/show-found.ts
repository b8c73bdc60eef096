/** Shrinks a schedule that failed, proves that it comes out the same twice, writes it down and draws it. */
import { join } from "node:path";
import type { Allowance } from "../../explore/allowance.ts";
import { type Counterexample, counterexampleFrom } from "../../explore/counterexample.ts";
import { runFolder } from "../../report/run-folder.ts";
import { terminalReport } from "../../report/terminal-report.ts";
import { WIDTH_DEFAULT } from "../../report/timeline.ts";
import { shellWord } from "../../runner/replay-command.ts";
import type { RunPlan } from "../../scenario/run-plan.ts";
import { paletteFor } from "../colours.ts";
import type { ResultsFolder } from "../run/results-folder.ts";
import type { CliWorld } from "../world.ts";
import { type Found, foundFrom } from "./explore-report.ts";
import { foundRun } from "./found-run.ts";

export interface ShowContext {
  /** Which schedule it was. */
  readonly index: number;
  readonly allow: readonly Allowance[];
  readonly options: { readonly json?: true; readonly ascii?: true };
  readonly folder: ResultsFolder;
  readonly world: CliWorld;
}

export function showFound(plan: RunPlan, { index, allow, ...context }: ShowContext): Found {
  const counterexample = counterexampleFrom(plan, allow);
  if (counterexample === undefined) throw new Error(`schedule ${index} showed something, and then nothing`);
  return showCounterexample(counterexample, { index, ...context });
}

/** Writes a schedule down that has been shrunk, and draws it. */
export function showCounterexample(
  counterexample: Counterexample,
  { index, options, folder, world }: Omit<ShowContext, "allow">,
): Found {
  const { scenario, variant } = counterexample.plan;
  const own = runFolder({ scenario, variant, repetition: 1 });
  const replay = replayOf(join(folder.path, own), counterexample.judged.history.header.backend);
  const run = foundRun(counterexample, replay);
  folder.writeRun(run);
  if (options.json !== true) {
    const { out, env } = world;
    const layout = {
      width: out.columns ?? WIDTH_DEFAULT,
      palette: paletteFor(out, env),
      ascii: options.ascii === true,
    };
    out.write(`${terminalReport([run], layout)}\n\n`);
  }
  return foundFrom(index, counterexample, { folder: own, replay });
}

export function replayOf(folder: string, backend: string): string {
  return `redlock-lab replay ${shellWord(folder)} --backend ${backend}`;
}

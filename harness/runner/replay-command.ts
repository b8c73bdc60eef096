/** The command line that repeats a run. Pure. */
import type { LabSettings } from "../scenario/lab-settings.ts";
import type { RunPlan } from "../scenario/run-plan.ts";

const OPTIONS = [
  ["nodeCount", "--nodes"],
  ["quorum", "--quorum"],
  ["ttlMs", "--ttl-ms"],
  ["nodeTimeoutMs", "--node-timeout-ms"],
  ["driftFactor", "--drift-factor"],
] as const satisfies readonly (readonly [keyof LabSettings, string])[];

export interface Replayed extends Pick<RunPlan, "scenario" | "variant" | "seed"> {
  readonly backend: string;
  /** What the command line had changed. */
  readonly overrides: Partial<LabSettings>;
  /** What the command line had named. */
  readonly strategy?: string | undefined;
}

export function replayCommand(run: Replayed): string {
  const { scenario, variant, backend, seed, overrides, strategy } = run;
  const changed = OPTIONS.flatMap(([name, option]) => {
    const value = overrides[name];
    return value === undefined ? [] : [option, String(value)];
  });
  const tried = strategy === undefined ? [] : ["--strategy", strategy];
  const words = [scenario, "--variant", variant, "--backend", backend, "--seed", seed, ...tried, ...changed];
  return ["redlock-lab", "run", ...words.map(shellWord)].join(" ");
}

/** As a POSIX shell wants it. */
export function shellWord(word: string): string {
  return /^[\w./:@=+-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}

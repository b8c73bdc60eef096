/** `redlock-lab run`: chooses what is to be played. */
import type { RunResult } from "../../report/run-result.ts";
import type { CliWorld } from "../world.ts";
import { loadStory } from "./load-story.ts";
import { playAndTell } from "./play-and-tell.ts";
import { replayFromFile } from "./replay-from-file.ts";
import { overridesFrom, type RunOptions, thresholdsFrom } from "./run-options.ts";
import { selectScenarios } from "./select-scenarios.ts";

export interface RunInvocation {
  readonly names: readonly string[];
  readonly options: RunOptions;
  /** The command line as it was typed, for the report. */
  readonly command: string;
}

/** @throws UsageError, InfrastructureError: one sentence, nothing was played. */
export async function runCommand(invocation: RunInvocation, world: CliWorld): Promise<number> {
  const { names, options, command } = invocation;
  const { scenarios, files } = await selectScenarios(names, world.laboratory.scenarios, loadStory);
  const { variant: variants, repeat, concurrency, seed, strategy, shard } = options;
  const request = {
    ...{ scenarios, variants, repeat, concurrency, seed, strategy, shard },
    named: names.length > 0,
    overrides: overridesFrom(options),
  };
  const finish = (run: RunResult): RunResult => replayFromFile(run, files);
  return await playAndTell({ request, options, thresholds: thresholdsFrom(options), command, finish }, world);
}

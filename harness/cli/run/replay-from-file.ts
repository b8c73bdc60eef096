/** A user's own story is not known by its id: what repeats its run has to name the file. */
import type { RunResult } from "../../report/run-result.ts";
import { shellWord } from "../../runner/replay-command.ts";

export function replayFromFile(run: RunResult, files: ReadonlyMap<string, string>): RunResult {
  const file = files.get(run.scenario);
  if (file === undefined) return run;
  const byId = `redlock-lab run ${run.scenario} `;
  if (!run.replay.startsWith(byId)) return run;
  return { ...run, replay: `redlock-lab run ${shellWord(file)} ${run.replay.slice(byId.length)}` };
}

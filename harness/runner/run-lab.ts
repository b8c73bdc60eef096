/** The laboratory's main job: plays what was asked for and judges it with every checker. */
import { ALL_CHECKERS } from "../checkers/all-checkers.ts";
import type { RunResult } from "../report/run-result.ts";
import type { LabRequest } from "./lab-request.ts";
import { playAll } from "./play-all.ts";

/**
 * Returns the results in the order asked for, whatever the order in which the runs ended. After the signal it returns
 * what had finished by then. A run that fails does not keep the others from being played.
 *
 * @throws UsageError one sentence, before anything is started: the request cannot be carried out.
 */
export function runLab(request: LabRequest): Promise<readonly RunResult[]> {
  return playAll(request, ALL_CHECKERS);
}

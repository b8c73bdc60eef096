import type { Subject } from "../subject.ts";
import { runContend } from "./run-contend.ts";
import { runFail } from "./run-fail.ts";
import { runLoad } from "./run-load.ts";
import { runMemory } from "./run-memory.ts";
import { runOpenLoop } from "./run-open-loop.ts";
import { runSequential } from "./run-sequential.ts";
import type { TaskKind, Tasks } from "./task.ts";

const PERFORMERS: {
  readonly [Kind in TaskKind]: (subject: Subject, ask: Tasks[Kind]["ask"]) => Promise<Tasks[Kind]["result"]>;
} = {
  sequential: runSequential,
  load: runLoad,
  "open-loop": runOpenLoop,
  contend: runContend,
  fail: runFail,
  memory: runMemory,
};

/** Lets a subject do what was asked, and says what was measured. */
export function performTask<Kind extends TaskKind>(
  subject: Subject,
  kind: Kind,
  ask: Tasks[Kind]["ask"],
): Promise<Tasks[Kind]["result"]> {
  return PERFORMERS[kind](subject, ask);
}

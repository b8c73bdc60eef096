/** A subject's process: is told what to open, performs tasks, ends when its parent lets go of it. */
import type { Subject } from "./subject.ts";
import { openSubject, type SubjectSpec } from "./subjects/open-subject.ts";
import { performTask } from "./tasks/perform-task.ts";
import { type Answer, CRASHED_ID, type Question } from "./tasks/task.ts";

process.once("message", (spec: SubjectSpec) => {
  void open(spec).then((answer) => process.send?.(answer));
});
process.on("disconnect", () => process.exit());
// A terminal's Ctrl-C reaches everybody; the parent says what is to be done about it.
process.on("SIGINT", () => undefined);
// Unhandled rejections too.
process.on("uncaughtException", (error) => {
  const crash: Answer = { id: CRASHED_ID, failure: `it crashed: ${String(error)}` };
  process.send?.(crash, () => process.exit(1));
});

async function open(spec: SubjectSpec): Promise<Answer> {
  try {
    const subject = await openSubject(spec);
    process.on("message", (question: Question) => {
      void perform(subject, question).then((answer) => process.send?.(answer));
    });
    return { id: 0 };
  } catch (error) {
    return { id: 0, failure: String(error) };
  }
}

async function perform(subject: Subject, { id, kind, ask }: Question): Promise<Answer> {
  try {
    return { id, result: await performTask(subject, kind, ask) };
  } catch (error) {
    return { id, failure: String(error) };
  }
}

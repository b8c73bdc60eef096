/** I1, actual: were two workers in the critical section at once, whatever their deadlines said? */
import { hasEvent } from "../history/events-of.ts";
import type { History } from "../history/history.ts";
import { checkOverlap } from "./hold-overlap.ts";
import { unknown, type Verdict } from "./verdict.ts";

export function checkActualOverlap(history: History): Verdict {
  const wasHeld = hasEvent(history, "acquire-granted");
  const wasEntered = hasEvent(history, "section-entered");
  if (wasHeld && !wasEntered) return unknown("no worker ever entered the critical section");
  return checkOverlap(history, {
    spansOf: ({ actual }) => actual,
    verb: "were in the critical section of",
  });
}

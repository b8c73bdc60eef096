/** I5: was somebody else's key touched, or a key left behind? */
import { eventsOf, hasEvent } from "../history/events-of.ts";
import { isGuardKey } from "../history/guard-silences.ts";
import type { History } from "../history/history.ts";
import { findForeignTouches } from "./foreign-touches.ts";
import { findLeaks } from "./leaks.ts";
import { unknown, type Verdict, verdictFromEvidence } from "./verdict.ts";

export function checkHygiene(history: History): Verdict {
  const evidence = [...findForeignTouches(history), ...findLeaks(history)];
  if (evidence.length > 0) return verdictFromEvidence(evidence);
  if (!eventsOf(history, "key-set").some(({ resource }) => !isGuardKey(resource)))
    return unknown("no key was ever seen on a node");
  if (!hasEvent(history, "run-ended")) {
    return unknown("the run was cut short before anybody looked for keys that were left behind");
  }
  return verdictFromEvidence([]);
}

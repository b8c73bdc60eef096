/** I1, declared: did two workers believe at once, as the library vouches? */
import type { History } from "../history/history.ts";
import { checkOverlap } from "./hold-overlap.ts";
import type { Verdict } from "./verdict.ts";

/** An empty interval, of an acquire that returned past its own deadline, overlaps nothing. */
export function checkDeclaredOverlap(history: History): Verdict {
  return checkOverlap(history, { spansOf: ({ declared }) => declared, verb: "believed to hold" });
}

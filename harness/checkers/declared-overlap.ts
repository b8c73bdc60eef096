/** I1, declared: did two workers believe at once, as the library vouches? And was each grant one? */
import type { History } from "../history/history.ts";
import { findFalseGrants } from "./false-grants.ts";
import { checkOverlap } from "./hold-overlap.ts";
import { findLateExtensions } from "./late-extensions.ts";
import { type Verdict, verdictFromEvidence } from "./verdict.ts";

/** An empty interval, of an acquire that returned past its own deadline, overlaps nothing. */
export function checkDeclaredOverlap(history: History): Verdict {
  const overlap = checkOverlap(history, { spansOf: ({ declared }) => declared, verb: "believed to hold" });
  const falseGrants = [...findFalseGrants(history), ...findLateExtensions(history)];
  if (falseGrants.length === 0) return overlap;
  return verdictFromEvidence([...(overlap.kind === "invalid" ? overlap.evidence : []), ...falseGrants]);
}

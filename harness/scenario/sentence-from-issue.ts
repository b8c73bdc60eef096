/** What zod found wrong, as one sentence for people. */
import type { z } from "zod";

/** `subject` begins the sentence: `The settings`, `Scenario S01`. */
export function sentenceFromIssue(subject: string, issues: readonly z.core.$ZodIssue[]): string {
  const [first] = issues;
  if (first === undefined) return `${subject} cannot be used.`;
  const reason = reasonOf(first);
  const place = first.path.map(String).join(".");
  return place === "" ? `${subject}: ${reason}.` : `${subject}: ${place} is wrong (${reason}).`;
}

/** Of what may be one of several kinds, all are listed: zod would quote them like code. */
function reasonOf(issue: z.core.$ZodIssue): string {
  if (issue.code !== "invalid_union" || issue.discriminator === undefined) return lowerFirst(issue.message);
  const kinds = "options" in issue && Array.isArray(issue.options) ? issue.options.map(String) : [];
  return kinds.length === 0
    ? "there is no such kind"
    : `there is no such kind; there are ${kinds.join(", ")}`;
}

const lowerFirst = (text: string): string => text.slice(0, 1).toLowerCase() + text.slice(1);

/** What zod found wrong, as one sentence for people. */
import type { z } from "zod";

/** `subject` begins the sentence: `The settings`, `Scenario S01`. */
export function sentenceFromIssue(subject: string, issues: readonly z.core.$ZodIssue[]): string {
  const [first] = issues;
  if (first === undefined) return `${subject} cannot be used.`;
  const reason = lowerFirst(first.message);
  const place = first.path.map(String).join(".");
  return place === "" ? `${subject}: ${reason}.` : `${subject}: ${place} is wrong (${reason}).`;
}

const lowerFirst = (text: string): string => text.slice(0, 1).toLowerCase() + text.slice(1);

/** The door through which every scenario comes in, the laboratory's and a user's own. */
import { z } from "zod";
import { CHECKER_NAMES } from "../checkers/checker-name.ts";
import { UsageError } from "../lab-error.ts";
import type { Scenario } from "./scenario.ts";
import { sentenceFromIssue } from "./sentence-from-issue.ts";
import { PARTIAL_SETTINGS_SCHEMA } from "./settings-rules.ts";
import { slug } from "./story-schema.ts";
import { firstRepeated } from "./validate-story.ts";

const text = z.string().min(1);
const story = z.custom((value) => typeof value === "function", {
  error: "expected a function of the settings",
});
const kebab = z
  .string()
  .max(60)
  .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, { error: "expected lower-case letters, digits and single dashes" });

const SCENARIO_SCHEMA = z.strictObject({
  id: slug,
  title: text,
  summary: text,
  aliases: z.array(z.strictObject({ name: kebab, source: text })).optional(),
  settings: PARTIAL_SETTINGS_SCHEMA.optional(),
  story,
  variants: z
    .array(
      z.strictObject({
        name: kebab,
        summary: text,
        settings: PARTIAL_SETTINGS_SCHEMA.optional(),
        strategy: text.optional(),
        story: story.optional(),
        expect: z.partialRecord(z.enum(CHECKER_NAMES), z.enum(["valid", "invalid", "any"])),
      }),
    )
    .min(1, { error: "at least one variant is needed" }),
});

/**
 * Checks a scenario and returns it unchanged. Its story is checked when it is told (resolve-plan.ts), because it
 * depends on the settings.
 *
 * @throws UsageError one sentence about the first thing that is wrong.
 */
export function defineScenario(definition: Scenario): Scenario {
  const { success, error } = SCENARIO_SCHEMA.safeParse(definition);
  if (!success) throw new UsageError(sentenceFromIssue(subjectOf(definition), error.issues));

  const repeated = firstRepeated(definition.variants.map(({ name }) => name));
  if (repeated !== undefined) {
    throw new UsageError(`Scenario ${definition.id}: two variants are called ${repeated}.`);
  }
  return definition;
}

function subjectOf(definition: unknown): string {
  const { success, data } = z.object({ id: slug }).safeParse(definition);
  return success ? `Scenario ${data.id}` : "The scenario";
}

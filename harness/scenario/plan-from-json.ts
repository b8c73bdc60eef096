/**
 * A plan that comes from a file: nothing about it is certain. Fields that older files do not have get what they
 * meant then.
 */
import { z } from "zod";
import { UsageError } from "../lab-error.ts";
import { DEFAULT_SETTINGS } from "./lab-settings.ts";
import { nodeNames } from "./node-names.ts";
import type { RunPlan } from "./run-plan.ts";
import { sentenceFromIssue } from "./sentence-from-issue.ts";
import { checkSettings, PARTIAL_SETTINGS_SCHEMA } from "./settings-rules.ts";
import { slug } from "./story-schema.ts";
import { validateStory } from "./validate-story.ts";

/** The longest seed of the command line, and which of its schedules it is. */
const SEED_FORM = /^[\w./-]{1,80}$/;

const FRAME_SCHEMA = z.looseObject({
  version: z.literal(1, { error: "this version reads schedules of version 1" }),
  scenario: slug,
  variant: slug,
  seed: z.string().regex(SEED_FORM, { error: "expected letters, digits, dots, dashes, slashes" }),
  nodes: z.array(z.string()),
  strategy: z.string().min(1).default("redlock"),
  settings: PARTIAL_SETTINGS_SCHEMA,
});

/**
 * @param source begins the sentence: the name of the file.
 * @throws UsageError one sentence about the first thing that is wrong.
 */
export function planFromJson(json: unknown, source: string): RunPlan {
  const { success, data, error } = FRAME_SCHEMA.safeParse(json);
  if (!success) throw new UsageError(sentenceFromIssue(`${source} is no schedule`, error.issues));
  const { version, scenario, variant, seed, nodes, strategy, settings: given, ...story } = data;
  const settings = { ...DEFAULT_SETTINGS, ...withoutUndefined(given) };
  return atSource(source, () => {
    checkSettings(settings);
    const expected = nodeNames(settings.nodeCount);
    if (nodes.join() !== expected.join()) {
      throw new UsageError(
        `its nodes are ${nodes.join(", ")}, but its settings have ${expected.join(", ")}.`,
      );
    }
    // The story's own schema refuses what it does not know, and says what is missing.
    const told = validateStory(story, scenario, settings);
    return { ...told, version, scenario, variant, seed, nodes, strategy, settings };
  });
}

/** What was left out means the default; `undefined` would hide it. */
function withoutUndefined(settings: Readonly<Record<string, unknown>>): object {
  return Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== undefined));
}

function atSource<Result>(source: string, read: () => Result): Result {
  try {
    return read();
  } catch (cause) {
    if (cause instanceof UsageError) throw new UsageError(`${source}: ${cause.message}`, { cause });
    throw cause;
  }
}

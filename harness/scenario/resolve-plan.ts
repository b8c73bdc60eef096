/** From a scenario, a variant and the command line to the plan that decides a run. Pure. */
import { UsageError } from "../lab-error.ts";
import { DEFAULT_SETTINGS, type LabSettings } from "./lab-settings.ts";
import { nodeNames } from "./node-names.ts";
import type { RunPlan, Story } from "./run-plan.ts";
import type { Scenario, Variant } from "./scenario.ts";
import { checkSettings, majorityOf } from "./settings-rules.ts";
import { validateStory } from "./validate-story.ts";

export const DEFAULT_STRATEGY = "redlock";

export interface PlanRequest {
  readonly scenario: Scenario;
  readonly variant: Variant;
  /** Win over the scenario's and the variant's settings. */
  readonly overrides: Partial<LabSettings>;
  readonly seed: string;
  /** Wins over the variant's. */
  readonly strategy?: string | undefined;
}

/**
 * Resolves the settings and tells the story for them.
 *
 * @throws UsageError one sentence: the settings cannot work, or the story cannot be told with them.
 */
export function resolvePlan(request: PlanRequest): RunPlan {
  return planRun(request, resolveSettings(request));
}

/**
 * The laboratory's defaults, overlaid by the scenario, the variant and the overrides.
 *
 * @throws UsageError one sentence: the settings cannot work.
 */
export function resolveSettings({
  scenario,
  variant,
  overrides,
}: Omit<PlanRequest, "seed" | "strategy">): LabSettings {
  const layers = [scenario.settings ?? {}, variant.settings ?? {}, overrides];
  const settings = layers.reduce<LabSettings>(overlay, DEFAULT_SETTINGS);
  checkSettings(settings);
  return settings;
}

/**
 * Tells the story for settings that have been resolved.
 *
 * @throws UsageError one sentence: the story cannot be told with these settings, or has a mistake.
 */
export function planRun({ scenario, variant, seed, strategy }: PlanRequest, settings: LabSettings): RunPlan {
  const tellStory = variant.story ?? scenario.story;
  const story = validateStory(tell(scenario.id, tellStory, settings), scenario.id, settings);
  return {
    ...story,
    version: 1,
    scenario: scenario.id,
    variant: variant.name,
    seed,
    nodes: nodeNames(settings.nodeCount),
    strategy: strategy ?? variant.strategy ?? DEFAULT_STRATEGY,
    settings,
  };
}

/**
 * A layer that names only the number of nodes gets a quorum with it: the majority, raised by as much as the
 * quorum below was raised, because a variant whose point is a raised quorum would lose its point.
 */
function overlay(below: LabSettings, layer: Partial<LabSettings>): LabSettings {
  const merged = { ...below, ...layer };
  if (layer.nodeCount === undefined || layer.quorum !== undefined) return merged;
  const raisedBy = below.quorum - majorityOf(below.nodeCount);
  return { ...merged, quorum: Math.min(majorityOf(layer.nodeCount) + raisedBy, layer.nodeCount) };
}

/** What a user's function throws is told in one sentence, like everything else that is wrong with a scenario. */
function tell(scenario: string, tellStory: Scenario["story"], settings: LabSettings): Story {
  try {
    return tellStory(settings);
  } catch (cause) {
    if (cause instanceof UsageError) throw cause;
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new UsageError(`Scenario ${scenario}: its story failed: ${reason}`, { cause });
  }
}

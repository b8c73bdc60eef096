/** From a request to the runs it asks for, each with its plan, before anything is started. Pure. */
import type { Backend } from "../backends/backend.ts";
import { UsageError } from "../lab-error.ts";
import { DEFAULT_STRATEGY, planRun, resolveSettings } from "../scenario/resolve-plan.ts";
import type { LabSettings } from "../scenario/lab-settings.ts";
import type { RunPlan } from "../scenario/run-plan.ts";
import type { Scenario, Variant } from "../scenario/scenario.ts";
import { strategyOf } from "../strategies/all-strategies.ts";
import type { LabRequest } from "./lab-request.ts";
import { shardOf, WHOLE } from "./shard.ts";
import { variantOnTrial } from "./variant-on-trial.ts";

export interface ListedRun {
  readonly scenario: Scenario;
  readonly variant: Variant;
  /** Counts from 1. */
  readonly repetition: number;
  readonly seed: string;
  readonly plan: RunPlan | undefined;
  /** Why it cannot be played; `undefined` where it can. */
  readonly whyNot: string | undefined;
}

/**
 * In the order asked for: scenarios, their variants, repetitions.
 *
 * @throws UsageError one sentence: a variant that no scenario has, settings that cannot work, or a story that was
 *   named and cannot be told with them, a strategy that is none, or one that no variant is told for.
 */
export function listRuns(request: LabRequest): readonly ListedRun[] {
  const { scenarios, variants, repeat, strategy, shard = WHOLE } = request;
  checkVariants(scenarios, variants);
  if (strategy !== undefined) strategyOf(strategy);
  const runs = scenarios.flatMap((scenario) =>
    scenario.variants
      .filter(({ name }) => variants.length === 0 || variants.includes(name))
      .filter((variant) => isToldFor(variant, strategy))
      .flatMap((variant) =>
        Array.from({ length: repeat }, (_, index) => listRun(request, { scenario, variant }, index + 1)),
      ),
  );
  if (runs.length === 0 && strategy !== undefined) {
    throw new UsageError(`Every variant that was asked for is told for another strategy than ${strategy}.`);
  }
  if (runs.length < shard.number && shard.count > 1) {
    throw new UsageError(
      `There are ${runs.length} runs, too few for ${shard.count} shards: ask for fewer shards.`,
    );
  }
  return shardOf(runs, shard);
}

/** What has to hold in a variant that is told for one strategy says nothing of another. */
function isToldFor({ strategy: own = DEFAULT_STRATEGY }: Variant, strategy: string | undefined): boolean {
  return strategy === undefined || own === DEFAULT_STRATEGY || own === strategy;
}

function checkVariants(scenarios: readonly Scenario[], variants: readonly string[]): void {
  const strange = variants.find((name) =>
    scenarios.every((scenario) => scenario.variants.every((variant) => variant.name !== name)),
  );
  if (strange === undefined) return;
  const known = scenarios.map(
    (scenario) => `${scenario.id} has ${scenario.variants.map(({ name }) => name).join(", ")}`,
  );
  throw new UsageError(`There is no variant ${strange}: ${known.join("; ")}.`);
}

function listRun(
  request: LabRequest,
  asked: { readonly scenario: Scenario; readonly variant: Variant },
  repetition: number,
): ListedRun {
  const told = { ...asked, variant: variantOnTrial(asked.variant, request.strategy) };
  const seed = seedOf(request.seed, repetition);
  const planRequest = { ...told, overrides: request.overrides, seed };
  const settings = settingsOnTrial(resolveSettings(planRequest), request.strategy);
  const listed = { ...told, repetition, seed };
  try {
    const plan = planRun(planRequest, settings);
    strategyOf(plan.strategy);
    return { ...listed, plan, whyNot: whyNotPlay(plan, request.backend) };
  } catch (cause) {
    // Whoever asks for everything gets what can be told; whoever asks for this story is told why not.
    if (request.named || !(cause instanceof UsageError)) throw cause;
    return { ...listed, plan: undefined, whyNot: cause.message };
  }
}

/** A strategy that is put on trial in stories that were not told for it may need fewer nodes, or replicas. */
function settingsOnTrial(told: LabSettings, strategy: string | undefined): LabSettings {
  return (strategy === undefined ? undefined : strategyOf(strategy).settings?.(told)) ?? told;
}

/** The first repetition runs with the seed as it was given, so that any run can be repeated by its own seed. */
function seedOf(seed: string, repetition: number): string {
  return repetition === 1 ? seed : `${seed}-${repetition}`;
}

function whyNotPlay(plan: RunPlan, backend: Backend): string | undefined {
  const reason = backend.whyNot(plan);
  return reason === undefined ? undefined : `The ${backend.name} backend cannot play it: ${reason}`;
}

/** Checks a story that was made for certain settings, before anything is started for it. */
import type { EventPattern } from "../faults/event-pattern.ts";
import { faultTargets } from "../faults/fault.ts";
import { UsageError } from "../lab-error.ts";
import { CARRIED_NAMES } from "./event-names.ts";
import type { LabSettings } from "./lab-settings.ts";
import { nodeNames } from "./node-names.ts";
import { unreachableNames } from "./reachable.ts";
import { firstReplicaMistake } from "./replica-rules.ts";
import type { Story } from "./run-plan.ts";
import { sentenceFromIssue } from "./sentence-from-issue.ts";
import { STORY_SCHEMA } from "./story-schema.ts";

interface Cast {
  readonly workers: readonly string[];
  readonly nodes: readonly string[];
  readonly faults: readonly string[];
}

/** What a part of the story names. */
interface Mention {
  /** `Fault jump`, `Worker W2`: begins the sentence. */
  readonly by: string;
  readonly workers: readonly string[];
  readonly nodes: readonly string[];
  readonly faults: readonly string[];
}

/**
 * Returns the story when all its parts fit together.
 *
 * @param scenario its id, for the sentence.
 * @throws UsageError one sentence about the first thing that is wrong.
 */
export function validateStory(
  story: unknown,
  scenario: string,
  { nodeCount, replicaCount }: Pick<LabSettings, "nodeCount" | "replicaCount">,
): Story {
  if (!isStory(story)) {
    const issues = STORY_SCHEMA.safeParse(story).error?.issues ?? [];
    throw new UsageError(sentenceFromIssue(`Scenario ${scenario}: its story`, issues));
  }

  const wrong =
    firstDouble(story) ??
    firstStranger(story, nodeNames(nodeCount)) ??
    firstMismatch(story) ??
    firstReplicaMistake(story, replicaCount) ??
    firstUnreachable(story);
  if (wrong !== undefined) throw new UsageError(`Scenario ${scenario}: ${wrong}`);
  return story;
}

function isStory(candidate: unknown): candidate is Story {
  return STORY_SCHEMA.safeParse(candidate).success;
}

function firstDouble({ workers, faults }: Story): string | undefined {
  const worker = firstRepeated(workers.map(({ id }) => id));
  if (worker !== undefined) return `two workers are called ${worker}.`;
  const fault = firstRepeated(faults.map(({ id }) => id));
  return fault === undefined ? undefined : `two faults are called ${fault}.`;
}

/** The first of the names that comes a second time. */
export function firstRepeated(names: readonly string[]): string | undefined {
  return names.find((name, index) => names.indexOf(name) !== index);
}

function firstStranger(story: Story, nodes: readonly string[]): string | undefined {
  const cast: Cast = {
    workers: story.workers.map(({ id }) => id),
    nodes,
    faults: story.faults.map(({ id }) => id),
  };
  for (const { by, workers, nodes: named, faults } of mentions(story)) {
    const worker = workers.find((name) => !cast.workers.includes(name));
    if (worker !== undefined) return `${by} names worker ${worker}, but there is only ${list(cast.workers)}.`;
    const node = named.find((name) => !cast.nodes.includes(name));
    if (node !== undefined) return `${by} names node ${node}, but there is only ${list(cast.nodes)}.`;
    const fault = faults.find((name) => !cast.faults.includes(name));
    if (fault !== undefined) return `${by} names fault ${fault}, which is not planned.`;
  }
  return undefined;
}

const list = (names: readonly string[]): string => names.join(", ");

function mentions(story: Story): readonly Mention[] {
  const ofFaults = story.faults.map(({ id, fault }) => ({
    by: `fault ${id}`,
    ...faultTargets(fault),
    faults: [],
  }));
  const ofMembers = story.workers.map(({ id, membership = [] }) => ({
    by: `worker ${id}`,
    ...{ workers: [], nodes: membership, faults: [] },
  }));
  const ofPatterns = patterns(story).map(({ by, pattern }) => ({
    by,
    workers: pattern.worker === undefined ? [] : [pattern.worker],
    nodes: pattern.node === undefined ? [] : [pattern.node],
    faults: pattern.fault === undefined ? [] : [pattern.fault],
  }));
  const ofGrants = story.staging.flatMap((condition) =>
    condition.kind === "granted-by"
      ? [{ by: "the staging", workers: [condition.worker], nodes: condition.nodes, faults: [] }]
      : [],
  );
  return [...ofFaults, ...ofMembers, ...ofPatterns, ...ofGrants];
}

function patterns(story: Story): readonly { readonly by: string; readonly pattern: EventPattern }[] {
  const triggers = [
    ...story.faults.map(({ id, when }) => ({ by: `fault ${id}`, trigger: when })),
    ...story.workers.map(({ id, startWhen }) => ({ by: `worker ${id}`, trigger: startWhen })),
  ];
  const ofTriggers = triggers.flatMap(({ by, trigger }) =>
    trigger.kind === "after" ? [{ by, pattern: trigger.event }] : [],
  );
  const ofStaging = story.staging.flatMap((condition) =>
    condition.kind === "order" ? [condition.earlier, condition.later] : [],
  );
  return [
    ...ofTriggers,
    ...ofStaging.map((pattern) => ({ by: "the staging", pattern })),
    ...story.demands.events.map((pattern) => ({ by: "a demand", pattern })),
  ];
}

/** A pattern that asks for a name which such an event does not carry never matches. */
function firstMismatch(story: Story): string | undefined {
  const names = ["worker", "node", "fault"] as const;
  for (const { by, pattern } of patterns(story)) {
    const foreign = names.find(
      (name) => pattern[name] !== undefined && !CARRIED_NAMES[pattern.kind].includes(name),
    );
    if (foreign !== undefined)
      return `${by} waits for a ${foreign}'s ${pattern.kind}, which names no ${foreign}.`;
  }
  return undefined;
}

function firstUnreachable(story: Story): string | undefined {
  const [first] = unreachableNames(story);
  return first === undefined
    ? undefined
    : `${first} waits for something that nothing in the story can bring about.`;
}

/**
 * Schedules as plain data, drawn by fast-check. Schedule i of a seed depends on the two alone, so that any number
 * of threads explores the same ones. A swarm: each schedule first draws which kinds of faults exist in it.
 */
import fc, { type Arbitrary } from "fast-check";
import type { PlannedFault } from "../faults/fault.ts";
import type { Trigger } from "../faults/trigger.ts";
import { RandomStream } from "../random/random-stream.ts";
import { DEFAULT_SETTINGS, type LabSettings, type Persistence } from "../scenario/lab-settings.ts";
import { nodeNames } from "../scenario/node-names.ts";
import type { RunPlan } from "../scenario/run-plan.ts";
import { majorityOf } from "../scenario/settings-rules.ts";
import { WORKER_DEFAULTS, type WorkerPlan } from "../workload/worker-plan.ts";
import { type Allowance, mayBeGuarded } from "./allowance.ts";
import {
  drawFault,
  type FaultWorld,
  GUARDED_SWARM_KINDS,
  SWARM_KINDS,
  type SwarmKind,
} from "./draw-faults.ts";

export interface DrawOptions {
  readonly seed: string;
  readonly allow: readonly Allowance[];
  /** At most so many faults in a schedule. */
  readonly faultsMax: number;
  readonly strategy: string;
}

/** What is drawn of one schedule. */
interface Draft {
  readonly settings: LabSettings;
  readonly workers: readonly WorkerPlan[];
  readonly faults: readonly PlannedFault[];
}

const RESOURCE = WORKER_DEFAULTS.resource;
/** Faults that are set off by time begin within this. */
const STORY_MS = 1_500;
/** Every fault is over by then; the last worker comes and has to be granted. */
const HEALED_MS = 6_000;
const LIMIT_MS = 20_000;
const KINDS_MAX = 5;
/** As schedule files have it. */
const VARIANT_CHARACTERS_MAX = 60;

/** Who comes when everything is over, to see whether anybody can acquire again. */
export const PROBE = "probe";

/** The same for the same seed and index, on every machine. */
export function drawSchedule(index: number, options: DrawOptions): RunPlan {
  const { seed, allow, strategy } = options;
  const stream = RandomStream.fromSeed(seed).fork(`schedule ${index}`);
  const isGuarded = mayBeGuarded(allow) && stream.fork("restart guard").below(2) === 1;
  const [draft] = fc.sample(draftOf(options, isGuarded), { seed: stream.uint32() | 0, numRuns: 1 });
  if (draft === undefined) throw new Error("fast-check drew nothing");
  return {
    version: 1,
    scenario: "explore",
    variant: variantFor(allow),
    seed: `${seed}/${index}`,
    nodes: nodeNames(draft.settings.nodeCount),
    strategy,
    settings: draft.settings,
    workers: [...draft.workers, probeOf(draft.settings)],
    faults: draft.faults,
    staging: [],
    demands: { contention: true, events: [] },
    limitMs: LIMIT_MS,
  };
}

/** Says what was lifted, where that is no longer than a variant's name may be. */
function variantFor(allow: readonly Allowance[]): string {
  const names = allow.join("-");
  if (names === "") return "envelope";
  return names.length > VARIANT_CHARACTERS_MAX ? `${allow.length}-assumptions-lifted` : names;
}

const framesWith = (kinds: readonly SwarmKind[]) =>
  fc.record({
    nodeCount: fc.constantFrom(5, 5, 5, 3),
    ttlMs: fc.constantFrom(300, 500, 1_000),
    nodeTimeoutMs: fc.constantFrom(20, 50),
    persistence: fc.constantFrom<Persistence>("none", "aof-everysec", "aof-always"),
    workerCount: fc.constantFrom(2, 2, 3),
    kinds: fc.subarray([...kinds], { minLength: 1, maxLength: KINDS_MAX }),
  });

const FRAMES = { guarded: framesWith(GUARDED_SWARM_KINDS), unguarded: framesWith(SWARM_KINDS) };

/** Fast-check's own trees are not used for shrinking, so that nothing is lost by chaining. */
function draftOf({ allow, faultsMax }: DrawOptions, isGuarded: boolean): Arbitrary<Draft> {
  const frames = isGuarded ? FRAMES.guarded : FRAMES.unguarded;
  return frames.chain(({ kinds, workerCount, ...frame }) => {
    const isReplicated = allow.includes("fail-over") || kinds.includes("fail-over");
    const settings = {
      ...settingsOf(frame, allow),
      replicaCount: isReplicated ? 1 : 0,
      restartGuard: isGuarded,
    };
    const ids = Array.from({ length: workerCount }, (_, index) => `W${index + 1}`);
    const world: FaultWorld = {
      workers: ids,
      nodes: nodeNames(settings.nodeCount),
      resource: RESOURCE,
      ttlMs: settings.ttlMs,
      persistence: settings.persistence,
      isGuarded,
    };
    const planned = fc.record({ when: triggers(ids), fault: drawFault(kinds, allow, world) });
    return fc
      .record({
        workers: fc.tuple(...ids.map((id) => workerOf(id, settings))),
        faults: fc.array(planned, { maxLength: faultsMax }),
      })
      .map(({ workers, faults }) => ({
        settings,
        workers,
        faults: faults.filter(isPossible).map((each, index) => ({ id: `f${index + 1}`, ...each })),
      }));
  });
}

/** A node has one replica, which takes over once. */
function isPossible<Planned extends Pick<PlannedFault, "fault">>(
  { fault }: Planned,
  index: number,
  all: readonly Planned[],
): boolean {
  if (fault.kind !== "fail-over") return true;
  return (
    all.findIndex((other) => other.fault.kind === fault.kind && other.fault.node === fault.node) === index
  );
}

function settingsOf(
  frame: Pick<LabSettings, "nodeCount" | "ttlMs" | "nodeTimeoutMs" | "persistence">,
  allow: readonly Allowance[],
): LabSettings {
  return {
    ...DEFAULT_SETTINGS,
    ...frame,
    quorum: majorityOf(frame.nodeCount),
    persistence: persistenceFor(allow) ?? frame.persistence,
  };
}

/** What is to be forgotten must not be kept. */
function persistenceFor(allow: readonly Allowance[]): Persistence | undefined {
  if (allow.includes("restart-empty")) return "none";
  return allow.includes("power-loss") ? "aof-everysec" : undefined;
}

function triggers(workers: readonly string[]): Arbitrary<Trigger> {
  const atTimes = fc.integer({ min: 0, max: STORY_MS }).map((atMs): Trigger => ({ kind: "at", atMs }));
  const atStart = fc.constant<Trigger>({ kind: "at", atMs: 0 });
  const afterGrants = fc
    .record({ worker: fc.constantFrom(...workers), delayMs: fc.integer({ min: 0, max: 60 }) })
    .map(
      ({ worker, delayMs }): Trigger => ({
        kind: "after",
        event: { kind: "acquire-granted", worker },
        delayMs,
      }),
    );
  return fc.oneof(atTimes, atStart, afterGrants);
}

function workerOf(id: string, { ttlMs }: LabSettings): Arbitrary<WorkerPlan> {
  return fc
    .record({
      startMs: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 800 })),
      waitMs: fc.constantFrom(0, 0, 200, 1_500),
      acquireCount: fc.integer({ min: 1, max: 3 }),
      idleMs: fc.integer({ min: 0, max: 100 }),
      workMs: fc.oneof(fc.integer({ min: 0, max: 100 }), fc.integer({ min: 0, max: 1_500 })),
      extendMs: fc.constantFrom(0, 0, ttlMs, Math.round(ttlMs / 3)),
      renews: fc.constantFrom(false, false, false, true),
    })
    .map(({ startMs, renews, ...drawn }) => ({
      ...WORKER_DEFAULTS,
      ...drawn,
      // Whoever renews does not extend by hand as well.
      ...(renews ? { renews, maxHoldMs: STORY_MS, extendMs: 0 } : {}),
      id,
      ttlMs,
      grantsMax: 0,
      startWhen: { kind: "at", atMs: startMs },
    }));
}

function probeOf({ ttlMs }: LabSettings): WorkerPlan {
  return {
    ...WORKER_DEFAULTS,
    id: PROBE,
    ttlMs,
    workMs: 0,
    waitMs: HEALED_MS,
    startWhen: { kind: "at", atMs: HEALED_MS },
  };
}

/** All that the timeline and the explanation read from a history, derived once. */
import type { NodeName, WorkerId } from "../../history/event.ts";
import { isGuardKey } from "../../history/guard-silences.ts";
import type { History } from "../../history/history.ts";
import { type Hold, holdsOf } from "../../history/holds.ts";
import type { KeyLife } from "../../history/key-life.ts";
import { keyLives } from "../../history/key-lives.ts";
import { endOfRun } from "../../history/moment.ts";
import {
  type NodeOutage,
  nodeOutages,
  type WorkerPause,
  workerDeaths,
  workerPauses,
} from "../../history/outages.ts";

export interface RunSpans {
  readonly history: History;
  readonly endMs: number;
  readonly holds: readonly Hold[];
  readonly keys: readonly KeyLife[];
  readonly outages: readonly NodeOutage[];
  readonly pauses: readonly WorkerPause[];
  readonly deaths: ReadonlyMap<WorkerId, number>;
  /** Who drew each owner value; attempts that were lost are not among them. */
  readonly owners: ReadonlyMap<string, WorkerId>;
}

export function runSpansOf(history: History): RunSpans {
  const holds = holdsOf(history);
  return {
    history,
    endMs: endOfRun(history.events).atMs,
    holds,
    keys: keyLives(history).filter(({ resource }) => !isGuardKey(resource)),
    outages: nodeOutages(history),
    pauses: workerPauses(history),
    deaths: workerDeaths(history),
    owners: new Map(holds.map(({ value, worker }) => [value, worker])),
  };
}

/** The last key of a value on a node that was there before an instant. */
export function keyBefore(
  { keys }: RunSpans,
  wanted: { readonly node: NodeName; readonly value: string; readonly atMs: number },
): KeyLife | undefined {
  return keys.findLast(
    ({ node, value, fromMs }) => node === wanted.node && value === wanted.value && fromMs <= wanted.atMs,
  );
}

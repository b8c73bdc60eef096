/** The small worlds that are walked completely, and what of them was covered. */
import type { FaultKind } from "../../faults/fault.ts";
import type { RunPlan } from "../../scenario/run-plan.ts";
import type { Allowance } from "../allowance.ts";

export interface Bound {
  /** Three in full; or five, with faults only. */
  readonly nodeCount: 3 | 5;
  /** At most so many faults, each at every boundary between two events. */
  readonly faultsMax: number;
  /** At most so many messages that are late or lost, among all that are sent. */
  readonly unpromptMax: number;
  readonly allow: readonly Allowance[];
  readonly strategy: string;
}

/** What was met from one start of the second worker on. */
export interface StartTally {
  readonly scheduleCount: number;
  readonly vacuousCount: number;
  readonly faults: Readonly<Partial<Record<FaultKind, number>>>;
  /** The first schedule that showed what must not be; the walk from this start ends with it. */
  readonly failed: RunPlan | undefined;
}

/** The worlds of one search, the quickest first. */
export function boundsOf({
  faultsMax,
  messagesMax,
  allow,
  strategy,
}: {
  readonly faultsMax: number;
  readonly messagesMax: number;
  readonly allow: readonly Allowance[];
  readonly strategy: string;
}): readonly Bound[] {
  const same = { allow, strategy };
  return [
    { nodeCount: 3, faultsMax: 0, unpromptMax: messagesMax, ...same },
    ...(faultsMax === 0 ? [] : [{ nodeCount: 5, faultsMax, unpromptMax: 0, ...same } as const]),
    ...(faultsMax === 0
      ? []
      : [{ nodeCount: 3, faultsMax, unpromptMax: Math.min(1, messagesMax), ...same } as const]),
  ];
}

/**
 * Notes the end of a belief in the very step in which it comes, as `lock.signal` announces it: at the deadline by
 * a timer, at a loss, or at the release before the first delete leaves. Notes too where the deadline has gone on
 * the axis of the run when the clocks of the process were disturbed.
 */
import type { Belief } from "../../../../src/core/belief.ts";
import type { EventOf } from "../../../history/event.ts";
import type { ProcessClock, VirtualProcess } from "./virtual-process.ts";

export type EndReason = EventOf<"belief-ended">["reason"];

export interface BeliefListener {
  readonly onEnd: (reason: EndReason) => void;
  readonly onDeadlineMoved: (deadlineMs: number) => void;
}

/** @param clock what the belief's deadline is read on. */
export function watchBelief(
  belief: Belief,
  { process, clock }: { readonly process: VirtualProcess; readonly clock: ProcessClock },
  listener: BeliefListener,
): void {
  let isWatching = true;
  let armedForMs: number | undefined;
  let shownAtMs = clock.runTimeMs(belief.deadlineMs);

  const follow = (): void => {
    if (!isWatching) return;
    if (belief.isOver(clock.nowMs())) {
      isWatching = false;
      belief.onChange = undefined;
      stopListening();
      listener.onEnd(belief.ending ?? "expired");
    } else if (armedForMs !== belief.deadlineMs) {
      shownAtMs = clock.runTimeMs(belief.deadlineMs);
      arm();
    }
  };
  const arm = (): void => {
    armedForMs = belief.deadlineMs;
    clock.at(belief.deadlineMs, () => {
      // A clock that was stepped back since is not there yet.
      armedForMs = undefined;
      follow();
    });
  };
  const stopListening = process.onClockMoved(() => {
    const deadlineMs = clock.runTimeMs(belief.deadlineMs);
    const isPast = Math.max(deadlineMs, shownAtMs) <= clock.runTimeMs(clock.nowMs());
    // While the clock stands still the deadline is nowhere; it is when the machine goes on.
    if (deadlineMs === shownAtMs || deadlineMs === Infinity || isPast) return;
    shownAtMs = deadlineMs;
    listener.onDeadlineMoved(deadlineMs);
    // The process notices by a timer, also that it is over already: it may be standing still just now.
    arm();
  });

  belief.onChange = follow;
  follow();
}

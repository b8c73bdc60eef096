/**
 * Notes the end of a belief in the very step in which it comes, as `lock.signal` announces it: at the deadline by
 * a timer, at a loss, or at the release before the first delete leaves.
 */
import type { Belief } from "../../../../src/core/belief.ts";
import type { EventOf } from "../../../history/event.ts";
import type { VirtualProcess } from "./virtual-process.ts";

export type EndReason = EventOf<"belief-ended">["reason"];

export function watchBelief(
  belief: Belief,
  process: VirtualProcess,
  onEnd: (reason: EndReason) => void,
): void {
  let isWatching = true;
  let armedForMs: number | undefined;

  const follow = (): void => {
    if (!isWatching) return;
    if (belief.isOver(process.nowMs())) {
      isWatching = false;
      belief.onChange = undefined;
      onEnd(belief.ending ?? "expired");
    } else if (armedForMs !== belief.deadlineMs) {
      armedForMs = belief.deadlineMs;
      process.at(belief.deadlineMs, follow);
    }
  };

  belief.onChange = follow;
  follow();
}

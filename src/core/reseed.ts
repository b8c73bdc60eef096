/**
 * Re-seeding (design rule 7): a node that has lost the value of a lock, or never had it, gets it back after an extension
 * was confirmed by a quorum, so that the next loss does not find the lock at its bare quorum. It is no vote: nobody
 * counts it. SET NX, so that nothing of anybody else's is touched (scenario S61), and on the connection on which the
 * value is deleted later: so the delete runs behind it.
 */
import type { AcquireCommand } from "../ports/command.ts";
import type { DetachedResult, Procedure } from "../ports/effect.ts";
import type { Belief } from "./belief.ts";
import { now, receive, send } from "./effects.ts";
import { Round } from "./round.ts";
import type { Rules } from "./rules.ts";
import { driftAllowanceMs } from "./validity.ts";

/** Re-seeds what an extension that was confirmed found missing, for as long as its round is heard out. */
export function* reseed(round: Round, belief: Belief, rules: Rules): Procedure<DetachedResult> {
  const untilMs = Math.min(round.startedAtMs + rules.nodeTimeoutMs, belief.deadlineMs);
  const seen = new Set<number>();
  try {
    do {
      const missing = missingIn(round).filter((nodeIndex) => !seen.has(nodeIndex));
      for (const nodeIndex of missing) {
        seen.add(nodeIndex);
        yield* reseedNode(nodeIndex, belief, rules);
      }
    } while (round.silentCount > 0 && (yield* receive(round, untilMs)) === "reply");
  } catch {
    // The driver is being closed.
  }
  return { orphanCount: 0 };
}

/** Whether there is somebody to hear out, or to re-seed. */
export function mayNeedReseed(round: Round): boolean {
  return round.silentCount > 0 || round.refusedCount("missing") > 0;
}

/** Never once the belief is over: a value that has ended is only deleted. */
function* reseedNode(nodeIndex: number, belief: Belief, rules: Rules): Procedure<void> {
  const nowMs = yield* now();
  if (belief.isOver(nowMs) || belief.reseeds?.isSilent(nodeIndex) === true) return;
  const { resource, others, value } = belief;
  const ttlMs = coveringTtlMs(belief.deadlineMs - nowMs, rules.driftFactor);
  const command: AcquireCommand = { kind: "acquire", resource, others, value, ttlMs, guard: rules.guard };
  const answer = new Round(rules.nodeNames, nowMs);
  belief.noteReseed(nodeIndex, answer);
  const untilMs = Math.min(nowMs + rules.nodeTimeoutMs, belief.deadlineMs);
  yield* send(answer, nodeIndex, { command, untilMs });
}

function missingIn(round: Round): readonly number[] {
  const nodes: number[] = [];
  for (let nodeIndex = 0; nodeIndex < round.nodeCount; nodeIndex++) {
    const reply = round.replyOf(nodeIndex);
    if (reply?.kind === "refused" && reply.reason === "missing") nodes.push(nodeIndex);
  }
  return nodes;
}

/** A lifetime that lasts until the deadline on a clock that is as fast as may be. */
function coveringTtlMs(remainingMs: number, driftFactor: number): number {
  return Math.ceil(remainingMs) + driftAllowanceMs(remainingMs, driftFactor);
}

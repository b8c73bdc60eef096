/**
 * A brand-new cluster waits one lifetime once (design rule 8). Who vouches that no lock is live anywhere can skip
 * that, but only where every node answers, and none of them has ever been guarded: else somebody may hold a lock.
 */
import type { GuardTerms } from "../ports/command.ts";
import type { Procedure } from "../ports/effect.ts";
import { now } from "./effects.ts";
import { askAll, awaitDecision } from "./fan-out.ts";
import { Round } from "./round.ts";
import type { Rules } from "./rules.ts";

/** Connections are made meanwhile; a node that is away says so at once. */
const TRUST_LIMIT_MS = 2000;

/** @returns whether every node is guarded now and may vote at once; where not, those without a guard wait. */
export function* trustFirstUse(guard: GuardTerms, rules: Rules): Procedure<boolean> {
  const untilMs = (yield* now()) + TRUST_LIMIT_MS;
  if (!(yield* allGrant({ kind: "survey" }, untilMs, rules))) return false;
  return yield* allGrant({ kind: "trust", guard }, untilMs, rules);
}

function* allGrant(
  command: Parameters<typeof askAll>[1]["command"],
  untilMs: number,
  rules: Rules,
): Procedure<boolean> {
  const round = new Round(rules.nodeNames, yield* now());
  yield* askAll(round, { command, untilMs });
  const decision = yield* awaitDecision(round, untilMs, ({ grantedCount, silentCount, nodeCount }) => {
    if (grantedCount + silentCount < nodeCount) return "lost";
    return silentCount === 0 ? "won" : "undecided";
  });
  return decision === "won";
}

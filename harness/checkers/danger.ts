/**
 * I2: could a rival have won while somebody believed? It could whenever no more than N - q nodes blocked it,
 * because then q were free to vote for it. Found also where no rival happened to be there.
 */
import type { History } from "../history/history.ts";
import { keyLives } from "../history/key-lives.ts";
import { nodeOutages } from "../history/outages.ts";
import { explainLostSupport, type LossContext } from "./lost-support.ts";
import { type HoldSupport, type SupportStep, supportTimeline } from "./support-timeline.ts";
import { EVIDENCE_MAX, type Evidence, unknown, type Verdict, verdictFromEvidence } from "./verdict.ts";
import { formatMs, listOf } from "./wording.ts";

/** A stretch in which a rival could have won. */
interface Danger {
  readonly support: HoldSupport;
  readonly steps: readonly [SupportStep, ...SupportStep[]];
  readonly fromMs: number;
  readonly toMs: number;
}

/** A danger that is no longer than the stamps of nodes are uncertain proves nothing. */
export function checkDanger(history: History): Verdict {
  const supports = supportTimeline(history);
  if (supports.length === 0) return unknown("no worker ever held a resource");
  if (!history.events.some((event) => "node" in event)) return unknown("nothing of the nodes was recorded");
  const uncertaintyMs = history.header.nodeStampUncertaintyMs;
  const dangers = supports.flatMap((support) => dangersIn(support, history));
  const proven = dangers.filter(({ fromMs, toMs }) => toMs - fromMs > uncertaintyMs);
  const [unproven] = dangers;
  if (proven.length === 0 && unproven !== undefined) {
    const { fromMs, toMs, support } = unproven;
    return unknown(
      `${support.hold.worker} (${support.hold.id}) may have been in danger from ${formatMs(fromMs)} to ` +
        `${formatMs(toMs)}, which is within the uncertainty of the nodes' stamps`,
    );
  }
  const context = {
    lives: keyLives(history),
    outages: nodeOutages(history),
    holds: supports.map(({ hold }) => hold),
  };
  return verdictFromEvidence(
    proven.slice(0, EVIDENCE_MAX).map((danger) => evidenceOf(danger, context, history.header.nodes)),
  );
}

function dangersIn(support: HoldSupport, { header }: History): readonly Danger[] {
  const blockersMax = header.nodes.length - header.quorum;
  const dangers: Danger[] = [];
  for (const step of support.steps) {
    if (step.holding.length + step.away.length > blockersMax) continue;
    const last = dangers.at(-1);
    if (last?.toMs === step.fromMs) {
      dangers[dangers.length - 1] = { ...last, steps: [...last.steps, step], toMs: step.toMs };
    } else {
      dangers.push({ support, steps: [step], fromMs: step.fromMs, toMs: step.toMs });
    }
  }
  return dangers;
}

function evidenceOf(danger: Danger, context: LossContext, nodes: readonly string[]): Evidence {
  const { support, steps, fromMs, toMs } = danger;
  const { hold } = support;
  const [{ holding, away }] = steps;
  const blockers = [...holding, ...away];
  const lost = nodes
    .filter((node) => !blockers.includes(node))
    .map((node) => explainLostSupport({ node, hold, atMs: fromMs }, context));
  return {
    sentence:
      `${hold.worker} (${hold.id}) believed to hold ${hold.resource} until ${formatMs(hold.believedUntil.atMs)}; ` +
      `from ${formatMs(fromMs)} to ${formatMs(toMs)} a rival could have won it: ` +
      `${lost.map(({ sentence }) => sentence).join("; ")}; ` +
      `${blockers.length === 0 ? "nobody" : `only ${listOf(blockers)}`} stood in the way`,
    fromMs,
    toMs,
    seqs: [hold.granted.seq, ...lost.flatMap(({ seqs }) => seqs)].sort((left, right) => left - right),
  };
}

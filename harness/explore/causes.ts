/** A counterexample as a story of causes: who was granted by whom, who forgot what and why, who took it then. Pure. */
import { explainLostSupport } from "../checkers/lost-support.ts";
import { formatMs, listOf } from "../checkers/wording.ts";
import type { History } from "../history/history.ts";
import { type Hold, holdsOf } from "../history/holds.ts";
import type { KeyLife } from "../history/key-life.ts";
import { keyLives } from "../history/key-lives.ts";
import { nodeOutages } from "../history/outages.ts";
import type { Finding } from "./judge-schedule.ts";

interface Cause {
  readonly atMs: number;
  readonly sentence: string;
}

/** Sentences in the order of time; the last one says what came of it. */
export function tellCauses(history: History, { evidence }: Finding): readonly string[] {
  const concerned = holdsOf(history).filter(
    (hold) =>
      evidence.seqs.includes(hold.granted.seq) ||
      (hold.granted.atMs <= evidence.fromMs && evidence.fromMs < hold.believedUntil.atMs),
  );
  const causes = concerned.flatMap((hold) => [grantOf(hold), ...lossesOf(hold, history)]);
  const told = causes.toSorted((left, right) => left.atMs - right.atMs).map(({ sentence }) => sentence);
  return [...told, evidence.sentence];
}

function grantOf({ worker, resource, votes, granted, believedUntil }: Hold): Cause {
  const voters = votes.filter(({ kind }) => kind === "granted").map(({ node }) => node);
  const until = Number.isFinite(believedUntil.atMs) ? formatMs(believedUntil.atMs) : "the end";
  return {
    atMs: granted.atMs,
    sentence: `${worker} was granted ${resource} by ${listOf(voters)} at ${formatMs(granted.atMs)} and believed in it until ${until}`,
  };
}

/** Nodes that had granted and forgot before the belief was over. */
function lossesOf(hold: Hold, history: History): readonly Cause[] {
  const context = { lives: keyLives(history), outages: nodeOutages(history), holds: holdsOf(history) };
  const isLost = (life: KeyLife): boolean =>
    life.resource === hold.resource && life.value === hold.value && life.toMs < hold.believedUntil.atMs;
  return context.lives.filter(isLost).map(({ node, toMs }) => ({
    atMs: toMs,
    sentence: explainLostSupport({ node, hold, atMs: toMs }, context).sentence,
  }));
}

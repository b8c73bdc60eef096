/**
 * Counting votes. The quorum is taken over the configured nodes, never over those that answer (design rule
 * 5), and a round is over as soon as its outcome can no longer change (rule 3). Source: the Redlock
 * algorithm, step 3, in the Redis documentation ("Distributed Locks with Redis").
 */

/** The smallest majority of `nodeCount` nodes: `floor(n / 2) + 1`. */
export function majorityOf(nodeCount: number): number {
  return Math.floor(nodeCount / 2) + 1;
}

export type Tally = "won" | "lost" | "undecided";

/**
 * Decides a count of votes.
 *
 * It is lost as soon as the silent nodes could no longer complete the quorum. Waiting for a quorum of
 * refusals instead would leave an even split undecided for ever.
 */
export function tally(count: {
  readonly yes: number;
  readonly silent: number;
  readonly quorum: number;
}): Tally {
  if (count.yes >= count.quorum) return "won";
  if (count.yes + count.silent < count.quorum) return "lost";
  return "undecided";
}

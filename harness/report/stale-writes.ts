/** Which accepted writes were stale: those the checker objects to, and those a fencing resource would refuse. */
import type { RunResult } from "./run-result.ts";

export function staleWriteSeqs({
  checkers,
  events,
}: Pick<RunResult, "checkers" | "events">): ReadonlySet<number> {
  const judged = checkers.find(({ checker }) => checker === "stale")?.verdict;
  const proofs = judged?.kind === "invalid" ? judged.evidence.map(({ seqs }) => seqs) : [];
  const writes = events.filter((event) => event.kind === "write-judged" && event.accepted);
  // A proof names the write that was overtaken and then the stale one: the last of them is meant.
  const proven = proofs.map((seqs) => writes.findLast(({ seq }) => seqs.includes(seq))?.seq);
  const refusable = writes.filter((event) => event.kind === "write-judged" && !event.acceptedIfFenced);
  return new Set([...proven.filter((seq) => seq !== undefined), ...refusable.map(({ seq }) => seq)]);
}

/** What has to have come about where W1 holds one quorum and W2 comes by for the other. */
import type { NodeName } from "../harness/history/event.ts";
import type { StagingCondition } from "../harness/scenario/run-plan.ts";
import { inOrder } from "../harness/scenario/story-parts.ts";

/**
 * @param first the nodes that W1 reaches, all of which have to grant.
 * @param bothWin where the shared node forgets and is the only one, W2 has to write before W1 does: otherwise
 *   W1's write would not be a late one, and the story would have been told the wrong way round.
 */
export function splitStaging(
  first: readonly NodeName[],
  { bothWin }: { readonly bothWin: boolean },
): readonly StagingCondition[] {
  const w1Writes = { kind: "write-invoked", worker: "W1" } as const;
  return [
    { kind: "granted-by", worker: "W1", nodes: first },
    inOrder({ kind: "acquire-invoked", worker: "W2" }, w1Writes),
    ...(bothWin ? [inOrder({ kind: "write-judged", worker: "W2" }, w1Writes)] : []),
  ];
}

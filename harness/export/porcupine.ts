/**
 * A history in a form that Porcupine reads: JSON Lines, each line a `porcupine.Operation` as Go's encoding/json has
 * it, with the acquires and releases of lock-operations.ts. Times are ranks: Porcupine asks only which came first.
 */
import type { History } from "../history/history.ts";
import { type LockOperation, lockOperationsOf, ranksOf } from "./lock-operations.ts";

export function porcupineText(history: History): string {
  const operations = lockOperationsOf(history);
  const moments = operations.flatMap(({ called, returned }) => [called, ...(returned ? [returned] : [])]);
  const rankOf = ranksOf(moments, history);
  const clients = new Map(history.header.workers.map((worker, index) => [worker, index]));
  // After everything else: a release that never came back may still be under way.
  const never = moments.length;
  const lineOf = ({ kind, resource, hold, worker, called, returned }: LockOperation): string =>
    `${JSON.stringify({
      ClientId: clients.get(worker) ?? clients.size,
      Input: { op: kind, resource, hold },
      Call: rankOf(called),
      Output: true,
      Return: returned === undefined ? never : rankOf(returned),
    })}\n`;
  return operations.map(lineOf).join("");
}

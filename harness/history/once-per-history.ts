/**
 * What is read from a history is computed once, however many checkers ask for it in a row: a history never changes.
 * Only the last one is remembered; to remember all that live (a WeakMap) takes longer than many a look at them.
 */
import type { History } from "./history.ts";

export function oncePerHistory<Derived>(
  derive: (history: History) => Derived,
): (history: History) => Derived {
  let last: { readonly history: History; readonly derived: Derived } | undefined;
  return (history) => {
    if (last?.history !== history) last = { history, derived: derive(history) };
    return last.derived;
  };
}

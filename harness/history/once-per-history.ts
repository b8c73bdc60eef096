/**
 * What is read from a history is computed once, however many checkers ask for it: a history never changes. It is
 * forgotten with the history.
 */
import type { History } from "./history.ts";

export function oncePerHistory<Derived>(
  derive: (history: History) => Derived,
): (history: History) => Derived {
  const known = new WeakMap<History, { readonly derived: Derived }>();
  return (history) => {
    const found = known.get(history);
    if (found !== undefined) return found.derived;
    const derived = derive(history);
    known.set(history, { derived });
    return derived;
  };
}

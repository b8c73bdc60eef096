import type { Procedure } from "../ports/effect.ts";
import { notify } from "./effects.ts";
import type { Turn, Waiters } from "./waiters.ts";

/** Gives a place up, and wakes those who have to look again. */
export function* leave(turn: Turn, waiters: Waiters): Procedure<void> {
  for (const next of waiters.leave(turn)) yield* wake(next);
}

/** Wakes one who waits for its turn. */
export function* wake(turn: Turn): Procedure<void> {
  turn.post();
  yield* notify(turn);
}

/** What a holder leaves to the next one in line, and what becomes of it (hand-over.ts). */
import type { DetachedResult, Mailbox, Procedure } from "../ports/effect.ts";
import { type EndedValue, undo } from "./delete-everywhere.ts";
import { detach, notify, receive } from "./effects.ts";
import type { Round } from "./round.ts";
import type { Rules } from "./rules.ts";

/** An ended value, left to the next one in line. Who leaves it waits here for the word that it was swapped. */
export class Bequest implements Mailbox {
  readonly ended: EndedValue;
  /** The round that swaps it, once it has begun. */
  round: Round | undefined;
  #hasNews = false;

  constructor(ended: EndedValue) {
    this.ended = ended;
  }

  get hasNews(): boolean {
    return this.#hasNews;
  }

  takeNews(): void {
    this.#hasNews = false;
  }

  post(): void {
    this.#hasNews = true;
  }
}

/** Tells whoever left it that the round which swaps it is decided. */
export function* tellGiver(bequest: Bequest | undefined): Procedure<void> {
  if (bequest === undefined) return;
  bequest.post();
  yield* notify(bequest);
}

/** Takes it back where it may still be: the swap is lost, or will never be. */
export function* undoBequest(bequest: Bequest | undefined, rules: Rules): Procedure<void> {
  if (bequest !== undefined) yield* detach(undo(bequest.ended, rules));
}

/** After a won swap: where it did not come through the old value may still be, and is taken back. */
export function* followSwap({ ended }: Bequest, swap: Round, rules: Rules): Procedure<DetachedResult> {
  const untilMs = swap.startedAtMs + rules.nodeTimeoutMs;
  try {
    while (swap.silentCount > 0 && (yield* receive(swap, untilMs)) === "reply");
  } catch {
    // The driver is being closed.
    return { orphanCount: swap.nodeCount - swap.grantedCount };
  }
  if (swap.grantedCount === swap.nodeCount) return { orphanCount: 0 };
  return yield* undo(ended, rules);
}

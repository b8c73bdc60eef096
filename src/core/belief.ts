import type { Target } from "../ports/command.ts";
import { Reseeds } from "./reseeds.ts";
import type { Round } from "./round.ts";

/** Why a belief is over. */
export type Ending = "released" | "lost" | "expired";

/**
 * The span in which one holder believes in its lock. Plain state of the holder: procedures raise and end it,
 * the lock shows it. Whatever the nodes do, it is over at its deadline (design rule 6), and once over it
 * never comes back.
 */
export class Belief implements Target {
  readonly resource: string;
  readonly others: readonly string[] | undefined;
  readonly value: string;
  #deadlineMs: number;
  #ending: Ending | undefined;
  #onChange: (() => void) | undefined;
  #reseeds: Reseeds | undefined;
  /** The one lifetime that was asked for so far; `undefined`: there were several, or it is not known. */
  #onlyTtlMs: number | undefined;

  /** @param lock its `ttlMs` is the lifetime that it was acquired for. */
  constructor(
    lock: Target & { readonly value: string; readonly deadlineMs: number; readonly ttlMs?: number },
  ) {
    this.#onlyTtlMs = lock.ttlMs;
    this.resource = lock.resource;
    this.others = lock.others;
    this.value = lock.value;
    this.#deadlineMs = lock.deadlineMs;
  }

  /** End of validity on the holder's monotonic clock. */
  get deadlineMs(): number {
    return this.#deadlineMs;
  }

  /** Notes a lifetime that is about to be asked for. @returns whether no other ever was. */
  noteTtl(ttlMs: number): boolean {
    if (this.#onlyTtlMs !== ttlMs) this.#onlyTtlMs = undefined;
    return this.#onlyTtlMs !== undefined;
  }

  /** Where the value was sent again; most locks never need that. */
  get reseeds(): Reseeds | undefined {
    return this.#reseeds;
  }

  noteReseed(nodeIndex: number, answer: Round): void {
    this.#reseeds ??= new Reseeds();
    this.#reseeds.note(nodeIndex, answer);
  }

  /** Why it is over, as far as somebody has said so; a deadline that passed unseen says nothing. */
  get ending(): Ending | undefined {
    return this.#ending;
  }

  isOver(nowMs: number): boolean {
    return this.#ending !== undefined || nowMs >= this.#deadlineMs;
  }

  remainingMs(nowMs: number): number {
    return this.isOver(nowMs) ? 0 : this.#deadlineMs - nowMs;
  }

  /** Moves the deadline, never back, and never after the belief is over (design rule 7). */
  raise(deadlineMs: number, nowMs: number): boolean {
    if (this.isOver(nowMs)) return false;
    this.#deadlineMs = Math.max(this.#deadlineMs, deadlineMs);
    this.#onChange?.();
    return true;
  }

  /** The first ending stays. */
  end(ending: Ending): void {
    if (this.#ending !== undefined) return;
    this.#ending = ending;
    this.#onChange?.();
  }

  /** One listener, called in the very step in which the belief is raised or ended. */
  set onChange(listener: (() => void) | undefined) {
    this.#onChange = listener;
  }
}

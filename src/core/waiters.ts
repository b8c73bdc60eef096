/**
 * Who holds or wants what within one process, first come, first served: a line for each resource. Pure: nobody
 * waits here, and nobody is woken here.
 *
 * A caller stands in the lines of all its resources at once, from the moment it calls. Its turn has come when it is
 * the first in each of them. So nobody is overtaken on a resource that it wants, and two callers never wait for each
 * other. The first in a line is the only one of its process that asks the nodes for that resource, and stays there
 * for as long as it holds it.
 */
import type { Mailbox } from "../ports/effect.ts";
import type { Failure } from "./acquire.ts";
import type { Belief } from "./belief.ts";
import type { Bequest } from "./bequest.ts";

/** Callers that may stand in lines at once. */
export const WAITERS_MAX = 100_000;
/** So many may stand there before anybody looks for those whose locks have run out. */
const SWEEP_LEAST = 1_000;

/** One caller's place. It is woken by `post` and the effect `notify`. */
export class Turn implements Mailbox {
  readonly resources: readonly string[];
  /** What it holds, once it has been granted. */
  belief: Belief | undefined;
  /** How its last attempt ended, while it goes on trying. */
  latestFailure: Failure | undefined;
  /** What became of that attempt. */
  heard: Failure | undefined;
  /** What the one before it has left to it (hand-over). */
  bequest: Bequest | undefined;
  /** How many hand-overs in a row have led to it. */
  handOverCount = 0;
  /** It lets others go first: its process has had the resource for as often as it may. */
  stepsBack = false;
  #hasNews = false;

  constructor(resources: readonly string[]) {
    this.resources = resources;
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

/** The lines of one coordinator. */
export class Waiters {
  readonly #lines = new Map<string, Set<Turn>>();
  readonly #late = new Set<Turn>();
  #turnCount = 0;
  #sweepAtCount = SWEEP_LEAST;
  #isClosed = false;

  /** @returns the caller's place, or `undefined` where too many stand in line already. */
  enter(resources: readonly string[]): Turn | undefined {
    if (this.#turnCount >= WAITERS_MAX) return undefined;
    const turn = new Turn(resources);
    this.#turnCount += 1;
    for (const resource of resources) {
      const line = this.#lines.get(resource);
      if (line === undefined) this.#lines.set(resource, new Set([turn]));
      else line.add(turn);
    }
    return turn;
  }

  /** The first in one of its lines who is before it; `undefined` when its turn has come, or is over. */
  blockerOf(turn: Turn): Turn | undefined {
    for (const resource of turn.resources) {
      const [first] = this.#lines.get(resource) ?? [];
      if (first !== undefined && first !== turn) return first;
    }
    return undefined;
  }

  /** Who comes right after it in every line, and wants the same; `undefined` where there is no such one. */
  heirOf(turn: Turn): Turn | undefined {
    const next = this.after(turn);
    const [heir] = next;
    if (heir === undefined || next.length !== turn.resources.length) return undefined;
    const wantsTheSame = heir.resources.length === turn.resources.length;
    return wantsTheSame && next.every((one) => one === heir) ? heir : undefined;
  }

  /** Its time is over: it only wants to hear how the attempt of the one before it ends. */
  makeLate(turn: Turn): void {
    this.#late.add(turn);
  }

  /** Those who want to hear how its attempt ends. */
  lateBehind(turn: Turn): readonly Turn[] {
    return [...this.#late].filter(
      (late) => late !== turn && late.resources.some((resource) => turn.resources.includes(resource)),
    );
  }

  /** Those who come right after it. They watch it: a holder that never lets go has a deadline all the same. */
  after(turn: Turn): readonly Turn[] {
    return turn.resources.flatMap((resource) => {
      const [first, second] = this.#lines.get(resource) ?? [];
      return first === turn && second !== undefined ? [second] : [];
    });
  }

  /**
   * Gives a place up; harmless when it has been given up before.
   *
   * @returns those who have to look again: their turn may have come, or they come right after another now.
   */
  leave(turn: Turn): readonly Turn[] {
    const nextOnes = new Set<Turn>();
    let wasThere = false;
    for (const resource of turn.resources) {
      const line = this.#lines.get(resource);
      if (line?.has(turn) !== true) continue;
      wasThere = true;
      const [first, second] = line;
      line.delete(turn);
      if (line.size === 0) this.#lines.delete(resource);
      const [newFirst, newSecond] = line;
      if (first === turn && newFirst !== undefined) nextOnes.add(newFirst);
      if (second === turn && newSecond !== undefined) nextOnes.add(newSecond);
    }
    if (wasThere) this.#turnCount -= 1;
    this.#late.delete(turn);
    return this.#isClosed ? [] : [...nextOnes];
  }

  /** So many stand here that some may have let their locks run out, and never given them back. */
  get wantsSweep(): boolean {
    return this.#turnCount >= this.#sweepAtCount;
  }

  /**
   * Takes the places of those whose locks are over; the next sweep is wanted when twice as many are left.
   *
   * @returns those who have to look again.
   */
  sweep(nowMs: number): readonly Turn[] {
    const over = [...this.#lines.values()].flatMap((line) =>
      [...line].filter(({ belief }) => belief?.isOver(nowMs) === true),
    );
    const nextOnes = over.flatMap((turn) => this.leave(turn));
    this.#sweepAtCount = Math.max(SWEEP_LEAST, 2 * this.#turnCount);
    return nextOnes;
  }

  /** From now on nobody's turn comes: those who wait are ended one by one. */
  close(): void {
    this.#isClosed = true;
  }

  /** Callers that stand in some line, holders included. */
  get size(): number {
    return this.#turnCount;
  }
}

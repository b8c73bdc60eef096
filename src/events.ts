/**
 * What a coordinator tells those who watch it. Observers are told synchronously, in the step in which it
 * happens; they can change nothing, and nothing is computed for them while nobody listens.
 */
import type { Ending } from "./core/belief.ts";
import type { RedlockErrorCode } from "./errors.ts";
import type { NodeEvent } from "./ports/node-event.ts";
import type { Finding } from "./start-up/finding.ts";
import type { Vote } from "./ports/vote.ts";

export type RedlockEvent = AcquireEvent | HoldEvent | OrphanEvent | NodeEvent | FindingEvent;

export type AcquireEvent =
  | { readonly kind: "acquire-started"; readonly resource: string; readonly ttlMs: number }
  | {
      readonly kind: "acquired";
      readonly resource: string;
      readonly value: string;
      /** From the call to the grant, in milliseconds: attempts, waits between them, and the token draw. */
      readonly waitedMs: number;
      readonly attemptCount: number;
      /** For how long the lock may be believed in, in milliseconds. */
      readonly validityMs: number;
      readonly votes: readonly Vote[];
    }
  | {
      readonly kind: "acquire-failed";
      readonly resource: string;
      readonly code: RedlockErrorCode;
      readonly waitedMs: number;
      /** Attempts that came to their end; `undefined` where the call was interrupted. */
      readonly attemptCount: number | undefined;
      readonly votes: readonly Vote[];
    };

export type HoldEvent =
  | {
      readonly kind: "extended";
      readonly resource: string;
      readonly value: string;
      /** For how long the lock may be believed in from now on, in milliseconds. */
      readonly validityMs: number;
      readonly votes: readonly Vote[];
    }
  | {
      readonly kind: "extend-failed";
      readonly resource: string;
      readonly value: string;
      readonly code: RedlockErrorCode;
      readonly votes: readonly Vote[];
    }
  /** Once for each lock, when its holder may not believe in it any more. */
  | {
      readonly kind: "ended";
      readonly resource: string;
      readonly value: string;
      readonly ending: Ending;
      readonly heldMs: number;
      /** Milliseconds from the end to the deadline; 0 where the deadline had come. */
      readonly validityLeftMs: number;
      /**
       * Nodes that granted beyond the quorum in the round that decided last, late answers included: how many
       * more could have been away. At the decision itself it is nearly always 0, for nobody waits for it.
       */
      readonly quorumMargin: number;
    }
  /** The deletes of a release have come to a decision. */
  | {
      readonly kind: "released";
      readonly resource: string;
      readonly value: string;
      readonly outcome: "released" | "expired" | "unconfirmed";
      readonly tookMs: number;
      readonly votes: readonly Vote[];
    };

/** Keys of ended values that may have been left: deletes that were given up before they were confirmed. */
export interface OrphanEvent {
  readonly kind: "orphaned";
  /** Nodes on which one value may have been left. */
  readonly count: number;
}

/** The start-up probe found something that is not as it should be. Each finding is told once. */
export interface FindingEvent {
  readonly kind: "finding";
  readonly finding: Finding;
}

/**
 * Is told of everything. What it throws, or rejects with, is dropped: watching must not change what is
 * watched. It delays what it is told of, so it should be quick.
 */
export type Observer = (event: RedlockEvent) => void;

/** An asynchronous function is an observer to TypeScript, and gives a promise. */
type Told = (event: RedlockEvent) => unknown;

/** Those who watch one coordinator. */
export class Observers {
  #observers: readonly Told[] = [];
  readonly #quarantinedUntilMs = new Map<string, number>();

  /** False while nobody listens: then events need not even be made. */
  get areListening(): boolean {
    return this.#observers.length > 0;
  }

  /** @returns a function that ends the watching; harmless when it is called again. */
  add(observer: Observer): () => void {
    // One of its own, so that a function that is added twice is told twice and taken away once.
    const added: Told = (event) => observer(event);
    this.#observers = [...this.#observers, added];
    return () => {
      this.#observers = this.#observers.filter((one) => one !== added);
    };
  }

  /** Never throws. */
  tell(event: RedlockEvent): void {
    for (const observer of this.#observers) {
      try {
        const returned = observer(event);
        if (returned instanceof Promise) returned.catch(ignore);
      } catch {
        // An observer's fault is not the holder's.
      }
    }
  }

  /** Tells of the nodes that these votes show in quarantine; of each once, until its time is over. */
  tellQuarantines(votes: readonly Vote[], nowMs: number): void {
    for (const vote of votes) {
      if (vote.kind !== "refused" || vote.reason !== "quarantined") continue;
      const isKnown = (this.#quarantinedUntilMs.get(vote.node) ?? 0) > nowMs;
      if (isKnown) continue;
      this.#quarantinedUntilMs.set(vote.node, nowMs + vote.leftMs);
      this.tell({ kind: "node-quarantined", node: vote.node, leftMs: vote.leftMs });
    }
  }
}

function ignore(): void {
  // The rejection of an asynchronous observer must not end the process.
}

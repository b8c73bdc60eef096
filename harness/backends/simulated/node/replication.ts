/**
 * A master's replicas. What the master writes reaches each of them a little later and in order, unless it is held
 * back; how far each has come is known to WAIT. A replica answers nobody until it is promoted.
 */
import type { RandomStream } from "../../../random/random-stream.ts";
import type { EventQueue } from "../event-queue.ts";
import { Wire } from "../network/wire.ts";
import type { StoredKey } from "./key-space.ts";

interface Replica {
  readonly wire: Wire;
  readonly keys: Map<string, StoredKey>;
  /** How many writes of the master it has. */
  offset: number;
  isHeld: boolean;
  /** It has been promoted and is no replica any more. */
  isMaster: boolean;
  /** Nothing may arrive before what was sent before it. */
  arrivesFromMs: number;
  /** What was written while it was held back. */
  backlog: (() => void)[];
}

/** Something that a master did, for its replicas to do as well. */
type Change = (keys: Map<string, StoredKey>) => void;

/** Who waits until so many replicas have come so far. */
interface Waiter {
  readonly offset: number;
  readonly replicaCount: number;
  readonly settle: () => void;
}

export class Replication {
  readonly #queue: EventQueue;
  readonly #replicas: readonly Replica[];
  #offset = 0;
  #waiters: readonly Waiter[] = [];
  /** Grows when the master changes: what the old one had sent arrives nowhere. */
  #generation = 0;

  constructor(options: {
    readonly queue: EventQueue;
    readonly random: RandomStream;
    readonly replicaCount: number;
  }) {
    this.#queue = options.queue;
    this.#replicas = Array.from({ length: options.replicaCount }, (_, index) => ({
      wire: new Wire(options.random.fork(`replica ${index + 1}`)),
      keys: new Map(),
      offset: 0,
      isHeld: false,
      isMaster: false,
      arrivesFromMs: 0,
      backlog: [],
    }));
  }

  /** The master has written a key, or removed it. */
  noteWrite(resource: string, key: StoredKey | undefined): void {
    this.#distribute((keys) => {
      if (key === undefined) keys.delete(resource);
      else keys.set(resource, key);
    });
  }

  /** The master has been started again with what it had kept: its replicas take that over, and forget the rest. */
  noteRestart(kept: ReadonlyMap<string, StoredKey>): void {
    this.#distribute((keys) => overwrite(keys, kept));
  }

  /** @param number counts from 1. */
  hold(number: number, isHeld: boolean): void {
    const replica = this.#replica(number);
    replica.isHeld = isHeld;
    if (isHeld) return;
    const { backlog } = replica;
    replica.backlog = [];
    for (const send of backlog) send();
  }

  /** WAIT: calls back once `replicaCount` replicas have all that was written so far. */
  whenAcknowledged(replicaCount: number, settle: () => void): void {
    this.#waiters = [...this.#waiters, { offset: this.#offset, replicaCount, settle }];
    this.#wakeWaiters();
  }

  /** The key as a replica has it. */
  find(number: number, resource: string): StoredKey | undefined {
    return this.#replica(number).keys.get(resource);
  }

  /**
   * A replica becomes the master, the first that is left where no number is given. The others follow it from there.
   *
   * @returns what it has.
   */
  promote(number?: number): Map<string, StoredKey> {
    const promoted = this.#replica(number ?? this.#replicas.findIndex(({ isMaster }) => !isMaster) + 1);
    if (promoted.isMaster) throw new Error(`replica ${number} is the master already`);
    this.#generation += 1;
    this.#waiters = [];
    promoted.isMaster = true;
    for (const replica of this.#replicas.filter(({ isMaster }) => !isMaster)) {
      replica.backlog = [];
      replica.offset = this.#offset;
      overwrite(replica.keys, promoted.keys);
    }
    return new Map(promoted.keys);
  }

  #distribute(change: Change): void {
    this.#offset += 1;
    const offset = this.#offset;
    for (const replica of this.#replicas) {
      const send = (): void => this.#send(replica, change, offset);
      if (replica.isHeld) replica.backlog.push(send);
      else send();
    }
  }

  #send(replica: Replica, change: Change, offset: number): void {
    const atMs = Math.max(this.#queue.nowMs + replica.wire.drawBaseDelayMs(), replica.arrivesFromMs);
    replica.arrivesFromMs = atMs;
    const generation = this.#generation;
    this.#queue.at(atMs, () => {
      if (generation !== this.#generation) return;
      change(replica.keys);
      replica.offset = offset;
      // The acknowledgement takes its way back.
      this.#queue.at(this.#queue.nowMs + replica.wire.drawBaseDelayMs(), () => this.#wakeWaiters());
    });
  }

  #wakeWaiters(): void {
    const isDone = ({ offset, replicaCount }: Waiter): boolean =>
      this.#replicas.filter((replica) => !replica.isMaster && replica.offset >= offset).length >=
      replicaCount;
    const done = this.#waiters.filter(isDone);
    this.#waiters = this.#waiters.filter((waiter) => !done.includes(waiter));
    for (const { settle } of done) settle();
  }

  #replica(number: number): Replica {
    const replica = this.#replicas[number - 1];
    if (replica === undefined) throw new Error(`there is no replica ${number}`);
    return replica;
  }
}

function overwrite(keys: Map<string, StoredKey>, by: ReadonlyMap<string, StoredKey>): void {
  keys.clear();
  for (const [resource, key] of by) keys.set(resource, key);
}

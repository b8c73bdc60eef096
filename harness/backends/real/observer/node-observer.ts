/**
 * Watches one node directly, past all proxies, and tells what happens to the keys under test, each stamped with
 * the time of the run at which the node did it.
 */
import { setTimeout as delay } from "node:timers/promises";
import type { NodeName } from "../../../history/event.ts";
import { InfrastructureError } from "../../../lab-error.ts";
import { monotonicFromShown, type NodeClock } from "../clock/node-clock.ts";
import { RunClock } from "../play/run-clock.ts";
import { type FoundKey, type KeyEvent, KeyLedger } from "./key-ledger.ts";
import { scanKeys } from "./key-scan.ts";
import { ObserverConnection } from "./observer-connection.ts";

export interface NodeObserverOptions {
  readonly node: NodeName;
  readonly port: number;
  /** The node's wall clock as it has been moved so far; looked at for every stamp. */
  readonly clockOf: () => NodeClock;
  /** Origin of the run on the clock of `process.hrtime`. */
  readonly originNs: bigint;
  /** False for keys that are not under test. */
  readonly isObserved: (key: string) => boolean;
  /** Called in the order of the node. */
  readonly onEvent: (event: KeyEvent, atMs: number) => void;
}

const RETRY_MS = 5;
const WATCH_LIMIT_MS = 5_000;
const CATCH_UP_LIMIT_MS = 1_000;
const FIND_LIMIT_MS = 1_000;

export class NodeObserver {
  readonly #options: NodeObserverOptions;
  readonly #clock: RunClock;
  readonly #ledger: KeyLedger;
  #connection: ObserverConnection | undefined;
  #isClosed = false;

  constructor(options: NodeObserverOptions) {
    this.#options = options;
    this.#clock = new RunClock(options.originNs);
    this.#ledger = new KeyLedger(options);
  }

  /** False while the node is down, and from when it broke the connection until `watch` is called again. */
  get isWatching(): boolean {
    return this.#connection?.isWatching === true;
  }

  /**
   * To be called after each start of the node. Resolves when nothing that happens on it can be missed; the keys
   * that it had by then have been told as recovered.
   *
   * @throws InfrastructureError when the node cannot be watched within some seconds.
   */
  async watch(): Promise<void> {
    const deadlineMs = performance.now() + WATCH_LIMIT_MS;
    while (performance.now() < deadlineMs && !this.#isClosed) {
      // Always a new one: the old one's end may not have been noticed yet.
      this.#connection?.close();
      this.#connection = this.#connect();
      if (await this.#connection.ready) return;
      await delay(RETRY_MS);
    }
    const { node, port } = this.#options;
    throw new InfrastructureError(`Node ${node} on port ${port} cannot be watched: it does not answer.`);
  }

  /**
   * Resolves with true when all that has happened on the node before this call has been told; with false when
   * that cannot be known, because the node is silent or not watched.
   */
  async catchUp(): Promise<boolean> {
    const connection = this.#connection;
    if (connection?.isWatching !== true) return false;
    const silence = new AbortController();
    const isTold = await Promise.race([
      connection.catchUp().then(() => true),
      connection.ended.then(() => false),
      delay(CATCH_UP_LIMIT_MS, false, { signal: silence.signal }).catch(() => false),
    ]);
    silence.abort();
    return isTold;
  }

  /**
   * The keys under test that are on the node now; all that made them so has been told before.
   *
   * @throws InfrastructureError when the node does not answer.
   */
  async findKeys(): Promise<readonly FoundKey[]> {
    const { node, port, isObserved } = this.#options;
    try {
      const { keys } = await scanKeys(port, { limitMs: FIND_LIMIT_MS });
      await this.catchUp();
      return keys.filter(({ resource }) => isObserved(resource));
    } catch (cause) {
      throw new InfrastructureError(`Node ${node} on port ${port} does not list its keys.`, { cause });
    }
  }

  /** Harmless when repeated. */
  close(): void {
    this.#isClosed = true;
    this.#connection?.close();
  }

  #connect(): ObserverConnection {
    return new ObserverConnection(this.#options.port, {
      onScan: ({ keys, shownNs }) => {
        const observed = keys.filter(({ resource }) => this.#options.isObserved(resource));
        this.#tell(this.#ledger.restore(observed, shownNs), shownNs);
      },
      onNotice: (notice, key) => {
        // Without a line of its own, so its arrival is its stamp.
        for (const event of this.#ledger.notice(notice, key)) {
          this.#options.onEvent(event, this.#clock.nowMs());
        }
      },
      onLine: (line) => this.#tell(this.#ledger.line(line), line.shownNs),
    });
  }

  #tell(events: readonly KeyEvent[], shownNs: bigint): void {
    if (events.length === 0) return;
    const arrivedNs = process.hrtime.bigint();
    const atNs = monotonicFromShown(this.#options.clockOf(), { shownNs, arrivedNs });
    for (const event of events) this.#options.onEvent(event, this.#clock.fromNs(atNs));
  }
}

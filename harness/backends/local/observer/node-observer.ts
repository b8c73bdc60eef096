/**
 * Watches one node directly, past all proxies, and tells what happens to the keys under test, each stamped with
 * the host's monotonic time at which the node did it. It comes back by itself when the node was away.
 */
import { setTimeout as delay } from "node:timers/promises";
import type { NodeName } from "../../../history/event.ts";
import { InfrastructureError } from "../../../lab-error.ts";
import { monotonicFromShown, type NodeClock } from "../node-clock.ts";
import { type FoundKey, type KeyEvent, KeyLedger } from "./key-ledger.ts";
import { scanKeys } from "./key-scan.ts";
import { ObserverConnection } from "./observer-connection.ts";

export interface NodeObserverOptions {
  readonly node: NodeName;
  readonly port: number;
  /** The node's wall clock as it is now; looked at for every stamp. */
  readonly clock: () => NodeClock;
  /** False for keys that are not under test. */
  readonly isWatched: (key: string) => boolean;
  /** Called in the order of the node. `atNs` is a reading of `process.hrtime`. */
  readonly onEvent: (event: KeyEvent, atNs: bigint) => void;
}

const RETRY_MS = 5;
/** A node that is away for so long does not come back: about a minute and a half. */
const FAILURES_MAX = 15_000;
const ATTACH_LIMIT_MS = 5_000;
const CATCH_UP_LIMIT_MS = 1_000;
const FIND_LIMIT_MS = 1_000;

export class NodeObserver {
  readonly #options: NodeObserverOptions;
  readonly #ledger: KeyLedger;
  #connection: ObserverConnection | undefined;
  #isClosed = false;
  #loop: Promise<void> | undefined;

  constructor(options: NodeObserverOptions) {
    this.#options = options;
    this.#ledger = new KeyLedger(options);
  }

  /**
   * Resolves when everything that happens on the node from now on is seen; what was there before has been told
   * as recovered. To be awaited after each start of the node, before workers can reach it.
   *
   * @throws InfrastructureError when the node is not reached within some seconds.
   */
  async attach(): Promise<void> {
    this.#loop ??= this.#watch();
    const deadlineMs = performance.now() + ATTACH_LIMIT_MS;
    while (performance.now() < deadlineMs && !this.#isClosed) {
      if (this.#connection?.isWatching === true) return;
      await Promise.race([this.#connection?.ready, delay(RETRY_MS)]);
    }
    const { node, port } = this.#options;
    throw new InfrastructureError(`Node ${node} on port ${port} cannot be watched: it does not answer.`);
  }

  /** Resolves with true when all that has happened so far was told; with false when the node is silent. */
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

  /** The keys under test that are on the node now. @throws Error when it does not answer. */
  async findKeys(): Promise<readonly FoundKey[]> {
    const { keys } = await scanKeys(this.#options.port, { limitMs: FIND_LIMIT_MS });
    return keys.filter(({ resource }) => this.#options.isWatched(resource));
  }

  /** Never rejects; harmless when repeated. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#connection?.close();
    await this.#loop;
  }

  async #watch(): Promise<void> {
    let failures = 0;
    while (!this.#isClosed && failures < FAILURES_MAX) {
      const connection = this.#connect();
      this.#connection = connection;
      failures = (await connection.ready) ? 0 : failures + 1;
      await connection.ended;
      if (!this.#isClosed) await delay(RETRY_MS);
    }
  }

  #connect(): ObserverConnection {
    return new ObserverConnection(this.#options.port, {
      onScan: ({ keys, shownNs }) => {
        const watched = keys.filter(({ resource }) => this.#options.isWatched(resource));
        this.#tell(this.#ledger.restore(watched, shownNs), shownNs);
      },
      onNotice: (notice, key) => {
        // Without a line of its own, so its arrival is its stamp.
        for (const event of this.#ledger.notice(notice, key)) {
          this.#options.onEvent(event, process.hrtime.bigint());
        }
      },
      onLine: (line) => this.#tell(this.#ledger.line(line), line.shownNs),
    });
  }

  #tell(events: readonly KeyEvent[], shownNs: bigint): void {
    if (events.length === 0) return;
    const arrivedNs = process.hrtime.bigint();
    const atNs = monotonicFromShown(this.#options.clock(), { shownNs, arrivedNs });
    for (const event of events) this.#options.onEvent(event, atNs);
  }
}

/** The coordinator behind the calls of redlock 5. */
import { misuse } from "../misuse.ts";
import type { NodeAddress } from "../redis/connect/node-address.ts";
import { isList } from "../redis/create-nodes.ts";
import { Redlock as OwnRedlock } from "../redlock.ts";
import { useLock } from "../use-lock.ts";
import { errorFromEvent } from "./error-from-event.ts";
import { executionErrorFrom, type Membership } from "./execution-error.ts";
import { Lock } from "./lock.ts";
import { assertPerCall, assertSettings, optionsFrom, type Settings, waitMsFrom } from "./settings.ts";

/** The signal that a body gets: `error` is its reason, once it has aborted. */
export type RedlockAbortSignal = AbortSignal & { readonly error?: Error };

type ErrorListener = (error: Error) => void;
type Routine<Result> = (signal: RedlockAbortSignal) => Promise<Result>;

/**
 * `new Redlock([clientA, clientB, clientC], settings)` as in redlock 5.
 *
 * Each client is copied with options that are safe for a lock; the clients themselves are not used. `redlock`
 * is the coordinator beneath.
 */
export class Redlock {
  readonly redlock: OwnRedlock;
  readonly settings: Settings;
  readonly #membership: Membership;
  readonly #stopListening = new Map<ErrorListener, () => void>();

  /**
   * @param clients ioredis clients, or anything else that `createNodes` takes; one for each independent master.
   * @throws RedlockError `misuse`.
   */
  constructor(clients: Iterable<NodeAddress>, settings: Settings = {}) {
    const all = isList(clients) ? [...clients] : [];
    if (all.length === 0) throw misuse("a Redlock needs at least one client");
    assertSettings(settings);
    waitMsFrom(settings);
    this.settings = settings;
    // Its own nodes: it closes them, also where it refuses the settings.
    this.redlock = new OwnRedlock(all, optionsFrom(settings));
    this.#membership = { clients: all, quorum: settings.quorum ?? Math.floor(all.length / 2) + 1 };
  }

  /**
   * @param resources what is locked, all of it or nothing.
   * @param duration the TTL in milliseconds.
   * @throws ExecutionError with a `code`; `ResourceLockedError` where somebody else holds it.
   */
  async acquire(resources: readonly string[], duration: number, settings: Settings = {}): Promise<Lock> {
    assertResources(resources);
    assertSettings(settings);
    assertPerCall(settings);
    const waitMs = waitMsFrom({ ...this.settings, ...settings });
    try {
      const lock = await this.redlock.acquire(resources, duration, { waitMs });
      return new Lock(lock, resources, this.#membership);
    } catch (error) {
      throw executionErrorFrom(error, this.#membership);
    }
  }

  /** The same as `lock.release()`. */
  release(lock: Lock): ReturnType<Lock["release"]> {
    return lock.release();
  }

  /** The same as `lock.extend(duration)`. */
  extend(lock: Lock, duration: number): Promise<Lock> {
    return lock.extend(duration);
  }

  /**
   * Runs the routine under a lock that is extended until the routine has ended.
   *
   * @throws what the routine throws; else `lost` or `expired` where the lock was over before the routine was.
   */
  // eslint-disable-next-line @typescript-eslint/max-params -- The order is that of redlock 5.
  async using<Result>(
    resources: readonly string[],
    duration: number,
    settingsOrRoutine: Settings | Routine<Result>,
    lastRoutine?: Routine<Result>,
  ): Promise<Result> {
    const [settings, routine] =
      typeof settingsOrRoutine === "function" ? [{}, settingsOrRoutine] : [settingsOrRoutine, lastRoutine];
    if (typeof routine !== "function") throw misuse("using needs a routine: a function that takes a signal");
    const { lock } = await this.acquire(resources, duration, settings);
    lock.keepAlive();
    return await useLock(lock, (signal) => routine(withError(signal)), { failIfLost: true });
  }

  /** Listens to `error`: nodes that are away or set up wrong, failures that are no contention. */
  on(event: "error", listener: ErrorListener): this {
    return this.#listen(event, listener, (error) => listener(error));
  }

  once(event: "error", listener: ErrorListener): this {
    return this.#listen(event, listener, (error) => {
      this.off(event, listener);
      listener(error);
    });
  }

  addListener(event: "error", listener: ErrorListener): this {
    return this.on(event, listener);
  }

  off(_event: "error", listener: ErrorListener): this {
    this.#stopListening.get(listener)?.();
    this.#stopListening.delete(listener);
    return this;
  }

  removeListener(event: "error", listener: ErrorListener): this {
    return this.off(event, listener);
  }

  removeAllListeners(event = "error"): this {
    if (event !== "error") return this;
    for (const listener of [...this.#stopListening.keys()]) this.off("error", listener);
    return this;
  }

  listenerCount(event = "error"): number {
    return event === "error" ? this.#stopListening.size : 0;
  }

  /** Closes the nodes' connections, and the clients that were given, as redlock 5 does. Never rejects. */
  async quit(): Promise<void> {
    await this.redlock.close();
    await Promise.all(this.#membership.clients.map(quitClient));
  }

  #listen(event: string, listener: ErrorListener, onError: ErrorListener): this {
    if (event !== "error")
      throw misuse(`there is no event "${event}": see redlock.redlock.observe(listener)`);
    this.off(event, listener);
    const stop = this.redlock.observe((told) => {
      const error = errorFromEvent(told);
      if (error !== undefined) onError(error);
    });
    this.#stopListening.set(listener, stop);
    return this;
  }
}

function assertResources(resources: unknown): asserts resources is readonly string[] {
  if (Array.isArray(resources) && resources.length > 0) return;
  throw misuse('resources must be a list of names that is not empty, as in acquire(["orders"], 1000)');
}

function withError(signal: AbortSignal): RedlockAbortSignal {
  return Object.defineProperty(signal, "error", {
    get: () => {
      const reason: unknown = signal.reason;
      return reason instanceof Error ? reason : undefined;
    },
  });
}

/** A client that cannot be quit any more is as good as quit. */
async function quitClient(client: unknown): Promise<void> {
  if (typeof client !== "object" || client === null || !("quit" in client)) return;
  const { quit } = client;
  if (typeof quit !== "function") return;
  try {
    await quit.call(client);
  } catch {
    // Its connection is closed already.
  }
}

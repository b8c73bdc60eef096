/** Many callers of one coordinator, each doing one thing after the other until it is told to rest. */
import type { RandomStream } from "../../harness/random/random-stream.ts";
import { type Lock, type Redlock, RedlockError } from "../../src/index.ts";
import type { Defects } from "./defects.ts";
import { LANE_ACTS, type LaneWorld } from "./lane-acts.ts";

/** Nothing that is asked for waits as long: whoever has not settled by then never does. */
const SETTLE_LIMIT_MS = 15_000;
const WANTED_COUNT = 5;

interface LanesParts {
  readonly redlock: Redlock;
  /** Stands in its resources' names and in the report. */
  readonly name: string;
  readonly ttlMs: number;
  /** Whether no two may believe at once, whatever the nodes go through. */
  readonly isExclusive: boolean;
  readonly random: RandomStream;
  readonly laneCount: number;
  readonly defects: Defects;
}

/** The lanes of one process. */
export class Lanes {
  readonly #parts: LanesParts;
  readonly #names = Object.keys(LANE_ACTS);
  readonly #believed = new Map<string, Lock>();
  readonly #outcomes = new Map<string, number>();
  #isResting = true;
  #running: Promise<unknown> = Promise.resolve();
  #freshCount = 0;

  constructor(parts: LanesParts) {
    this.#parts = parts;
  }

  /** How often each act ended in which way. */
  get outcomes(): Readonly<Record<string, number>> {
    return Object.fromEntries(this.#outcomes);
  }

  start(): void {
    this.#isResting = false;
    const { laneCount, random } = this.#parts;
    this.#running = Promise.all(
      Array.from({ length: laneCount }, (_, lane) =>
        this.#lane(random.fork(`lane ${lane} ${this.#freshCount}`)),
      ),
    );
  }

  /** Resolves when everybody has ended what he had begun. */
  async rest(): Promise<void> {
    this.#isResting = true;
    await this.#running;
  }

  async #lane(random: RandomStream): Promise<void> {
    const { name, redlock, ttlMs } = this.#parts;
    const world: LaneWorld = {
      redlock,
      ttlMs,
      random,
      freshResource: () => `soak:${name}:${process.pid}:${++this.#freshCount}`,
      wantedResource: () => `soak:${name}:wanted:${random.below(WANTED_COUNT)}`,
      watch: (lock) => this.#watch(lock),
    };
    while (!this.#isResting) {
      const act = this.#names[random.below(this.#names.length)] ?? "";
      const what = `${name}, ${act}: ${await this.#outcomeOf(act, world)}`;
      this.#outcomes.set(what, (this.#outcomes.get(what) ?? 0) + 1);
    }
  }

  async #outcomeOf(name: string, world: LaneWorld): Promise<string> {
    const timer = setTimeout(() => {
      this.#parts.defects.note(`"${name}" did not settle within ${SETTLE_LIMIT_MS} ms`);
    }, SETTLE_LIMIT_MS);
    try {
      await LANE_ACTS[name]?.(world);
      return "done";
    } catch (error) {
      const outcome = outcomeOfError(error);
      if (outcome === undefined) this.#parts.defects.note(`"${name}" threw ${String(error)}`);
      return outcome ?? "threw";
    } finally {
      clearTimeout(timer);
    }
  }

  /** Two believers in one process at the same moment need no evidence but their own word. */
  #watch(lock: Lock): void {
    const other = this.#believed.get(lock.resource);
    if (this.#parts.isExclusive && other !== undefined && other.remainingMs() > 0 && lock.remainingMs() > 0) {
      this.#parts.defects.note(`two locks on ${lock.resource} were believed in at once`);
    }
    this.#believed.set(lock.resource, lock);
    lock.signal.addEventListener(
      "abort",
      () => {
        if (this.#believed.get(lock.resource) === lock) this.#believed.delete(lock.resource);
      },
      { once: true },
    );
  }
}

/** `undefined` for what no act may end with. */
function outcomeOfError(error: unknown): string | undefined {
  if (error instanceof RedlockError) return error.code === "misuse" ? undefined : error.code;
  // The pause of a body whose signal has fired.
  if (error instanceof Error && error.name === "AbortError") return "aborted";
  return undefined;
}

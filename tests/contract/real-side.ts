/**
 * Real Redis as one side of the contract. Commands go out in one piece up to the next move of the clock; after a
 * move all keys are looked at, which removes what has expired as the server itself would within a tenth of a second.
 */
import { type RespValue, respText } from "../../harness/backends/real/resp/resp-reader.ts";
import type { NodeCommand } from "../../harness/backends/simulated/node/node-command.ts";
import { runIdOf } from "../../harness/backends/simulated/node/server-facts.ts";
import type { Persistence } from "../../harness/scenario/lab-settings.ts";
import {
  CLOCK_START_MS,
  type ClockMove,
  type ContractSide,
  type ContractStep,
  isClockMove,
  KEYS,
  type Restart,
  type Seen,
  type SeenKey,
} from "./contract-step.ts";
import { answerFromRedis, redisText } from "./redis-text.ts";
import { ServerIdentities } from "./server-identity.ts";
import { type ServerPlace, StandingServer } from "./standing-server.ts";

/** All sequences go to this one server, which must not be restarted by any. */
export function realSide(server: StandingServer): ContractSide {
  return {
    play: async (steps) => {
      server.clock.set(CLOCK_START_MS);
      await server.settleClock();
      await server.ask([
        ["DEL", ...KEYS],
        ["SCRIPT", "FLUSH"],
      ]);
      return new Play(server, "none").run(steps);
    },
  };
}

/** Each sequence has a new server without a past. */
export function restartedSide(place: ServerPlace, persistence: Persistence): ContractSide {
  let count = 0;
  return {
    play: async (steps) => {
      count += 1;
      const name = `${persistence}-${String(count)}`;
      const server = await StandingServer.start(place, { persistence, name });
      try {
        return await new Play(server, persistence).run(steps);
      } finally {
        await server.stop();
      }
    },
  };
}

const MS_PER_SECOND = 1_000;
/** A pass of some seconds meets each of them and the end of each key once. */
const STOPS_MAX = 100;

/** Something to send, and what is made of the answers. */
interface Question {
  readonly texts: readonly (readonly string[])[];
  readonly read: (values: readonly RespValue[]) => Seen;
}

const LOOK: Question = {
  texts: KEYS.flatMap((resource) => [
    ["GET", resource],
    ["PTTL", resource],
  ]),
  read: (values) => ({
    kind: "keys",
    keys: KEYS.flatMap((resource, index) => seenKey(resource, values.slice(2 * index))),
  }),
};

class Play {
  readonly #server: StandingServer;
  readonly #syncsBeside: boolean;
  readonly #identities = new ServerIdentities();
  /** The simulated one has been started twice before a sequence begins. */
  #startCount = 2;
  readonly #seen: Seen[] = [];
  #questions: Question[] = [];

  constructor(server: StandingServer, persistence: Persistence) {
    this.#server = server;
    this.#syncsBeside = persistence === "aof-everysec";
  }

  async run(steps: readonly ContractStep[]): Promise<readonly Seen[]> {
    for (const step of steps) await this.#take(step);
    this.#questions.push(LOOK);
    await this.#ask();
    return this.#seen;
  }

  async #take(step: ContractStep): Promise<void> {
    if (step.kind === "restart") {
      await this.#restart(step);
    } else if (isClockMove(step)) {
      await this.#ask();
      if (step.kind === "pass" && this.#syncsBeside) await this.#passSlowly(step.durationMs);
      else this.#move(step);
      await this.#server.settleClock();
      this.#questions.push(LOOK);
    } else if (step.kind === "hold-sync") {
      await this.#ask();
      this.#server.holdSync(step.isHeld);
      this.#questions.push(LOOK);
    } else {
      this.#questions.push({
        texts: [redisText(step, this.#runId)],
        read: ([value]) => this.#answer(step, value),
      });
    }
    // Which command a sync covers is compared too: it must not cover what came later.
    if (this.#syncsBeside) await this.#ask();
  }

  async #restart({ cause, whileDown }: Restart): Promise<void> {
    await this.#ask();
    await this.#server.goDown(cause);
    for (const move of whileDown) this.#move(move);
    await this.#server.comeUp();
    await this.#server.settleClock();
    this.#startCount += 1;
    this.#questions.push(LOOK);
  }

  /** What the simulated node draws for itself at this start: guards are compared as they are written. */
  get #runId(): string {
    return runIdOf("A", this.#startCount);
  }

  #move(move: ClockMove): void {
    const { clock } = this.#server;
    switch (move.kind) {
      case "pass":
        clock.pass(move.durationMs);
        return;
      case "jump-clock":
        clock.jump(move.byMs);
        return;
      case "set-clock-rate":
        clock.setRate(move.rate);
        return;
    }
  }

  /**
   * Where time only passes, a server removes a key as soon as it has expired, and syncs at the turn of a second:
   * the clock stops there to let it.
   */
  async #passSlowly(durationMs: number): Promise<void> {
    const { clock } = this.#server;
    const endMs = clock.endOfPassMs(durationMs);
    for (let stops = 0; stops < STOPS_MAX; stops += 1) {
      const lifetimes = await this.#server.ask(KEYS.map((resource) => ["PTTL", resource]));
      await this.#server.settle();
      const stopMs = nextStopMs(clock.shownMs, lifetimes);
      if (stopMs >= endMs) {
        clock.show(endMs);
        return;
      }
      clock.show(stopMs);
    }
    throw new Error("time passes with too many stops");
  }

  async #ask(): Promise<void> {
    const questions = this.#questions;
    if (questions.length === 0) return;
    this.#questions = [];
    const values = await this.#server.ask(questions.flatMap(({ texts }) => texts));
    let at = 0;
    for (const { texts, read } of questions) {
      this.#seen.push(read(values.slice(at, at + texts.length)));
      at += texts.length;
    }
    if (this.#syncsBeside) await this.#server.settle();
  }

  #answer(command: NodeCommand, value: RespValue | undefined): Seen {
    if (value === undefined) throw new Error("an answer is missing");
    const text = respText(value);
    const isInfo = command.kind === "info" && text !== undefined;
    return { kind: "answer", answer: isInfo ? this.#identities.describe(text) : answerFromRedis(value) };
  }
}

/** The next millisecond in which a key has gone or a second has begun. */
function nextStopMs(shownMs: number, lifetimes: readonly RespValue[]): number {
  const wholeMs = Math.floor(shownMs);
  const goneMs = lifetimes.flatMap((lifetime) =>
    lifetime.kind === "number" && lifetime.value >= 0 ? [wholeMs + lifetime.value + 1] : [],
  );
  return Math.min(...goneMs, (Math.floor(wholeMs / MS_PER_SECOND) + 1) * MS_PER_SECOND);
}

function seenKey(resource: string, [value, lifetime]: readonly RespValue[]): readonly SeenKey[] {
  if (value?.kind !== "text" || lifetime?.kind !== "number") return [];
  return [{ resource, value: value.text, expiresInMs: lifetime.value < 0 ? null : lifetime.value }];
}

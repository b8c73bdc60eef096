/**
 * Real Redis as one side of the contract. Commands go out in one piece up to the next move of the clock; after a
 * move all keys are looked at, which removes what has expired as the server itself would within a tenth of a second.
 */
import { type RespValue, respText } from "../../harness/backends/local/resp/resp-reader.ts";
import type { NodeCommand } from "../../harness/backends/simulated/node/node-command.ts";
import type { Persistence } from "../../harness/scenario/lab-settings.ts";
import {
  CLOCK_START_MS,
  type ClockMove,
  type ContractSide,
  type ContractStep,
  isClockMove,
  RESOURCES,
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
      await server.ask([
        ["DEL", ...RESOURCES],
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

/** Something to send, and what is made of the answers. */
interface Question {
  readonly texts: readonly (readonly string[])[];
  readonly read: (values: readonly RespValue[]) => Seen;
}

const LOOK: Question = {
  texts: RESOURCES.flatMap((resource) => [
    ["GET", resource],
    ["PTTL", resource],
  ]),
  read: (values) => ({
    kind: "keys",
    keys: RESOURCES.flatMap((resource, index) => seenKey(resource, values.slice(2 * index))),
  }),
};

class Play {
  readonly #server: StandingServer;
  readonly #syncsBeside: boolean;
  readonly #identities = new ServerIdentities();
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
      this.#move(step);
      this.#questions.push(LOOK);
    } else {
      this.#questions.push({ texts: [redisText(step)], read: ([value]) => this.#answer(step, value) });
    }
    // Which command a sync covers is compared too: it must not cover what came later.
    if (this.#syncsBeside) await this.#ask();
  }

  async #restart({ cause, whileDown }: Restart): Promise<void> {
    await this.#ask();
    await this.#server.goDown(cause);
    for (const move of whileDown) this.#move(move);
    await this.#server.comeUp();
    this.#questions.push(LOOK);
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

function seenKey(resource: string, [value, lifetime]: readonly RespValue[]): readonly SeenKey[] {
  if (value?.kind !== "text" || lifetime?.kind !== "number") return [];
  return [{ resource, value: value.text, expiresInMs: lifetime.value < 0 ? null : lifetime.value }];
}

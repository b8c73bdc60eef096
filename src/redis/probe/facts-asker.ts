/** Asks a server what the start-up probe wants to know, on the connection of its lock commands. */
import type { Redis } from "ioredis";
import type { GivenAs, NodeFacts, NodeReport } from "../../ports/node-facts.ts";
import { systemClock } from "../../runtime/system-clock.ts";
import { askWithin, whyNoAnswerText } from "../ask-within.ts";
import { factsFromAnswers } from "./facts-from-answers.ts";

interface AskerOptions {
  readonly node: string;
  readonly client: Redis;
  readonly givenAs: GivenAs;
  /** What is known of a connection that does not come about. */
  readonly whyAway: () => string;
}

const MICROS_PER_MILLI = 1000;
const MILLIS_PER_SECOND = 1000;

/** Asks one server, as often as it is told to, but never again while an answer is owed. */
export class FactsAsker {
  readonly #options: AskerOptions;
  #owed: Promise<NodeFacts> | undefined;

  constructor(options: AskerOptions) {
    this.#options = options;
  }

  /**
   * Never rejects: a server that does not answer in time, or not at all, is reported as such.
   *
   * @param limitMs for the connection, where it is being made, and the answers together.
   */
  ask(limitMs: number): Promise<NodeReport> {
    const { node, client, whyAway } = this.#options;
    return askWithin<NodeReport>({
      client,
      limitMs,
      ask: async () => ({ kind: "told", node, facts: await this.#facts() }),
      giveUp: (why) => ({ kind: "unreached", node, cause: whyNoAnswerText(why, whyAway()) }),
    });
  }

  #facts(): Promise<NodeFacts> {
    const { client, givenAs } = this.#options;
    this.#owed ??= askQuestions(client, givenAs).finally(() => {
      this.#owed = undefined;
    });
    return this.#owed;
  }
}

/** Rejects when the connection ends; a question that the server refuses is none that fails. */
async function askQuestions(client: Redis, givenAs: GivenAs): Promise<NodeFacts> {
  const denied: string[] = [];
  const ask = async (name: string, ...args: readonly string[]): Promise<unknown> => {
    try {
      return await client.call(name, ...args);
    } catch (error) {
      if (!isAnswer(error)) throw error;
      denied.push(name);
      return undefined;
    }
  };
  const sentAtMs = systemClock.nowMs();
  const [clock, info, role, append, save] = await Promise.all([
    ask("TIME").then((answer) => clockFrom(answer, sentAtMs, systemClock.nowMs())),
    ask("INFO"),
    ask("ROLE"),
    ask("CONFIG", "GET", "*append*"),
    ask("CONFIG", "GET", "save"),
  ]);
  const facts = factsFromAnswers({ info, role, config: [...listFrom(append), ...listFrom(save)] });
  // A Sentinel has other commands; that it is one says it all.
  return { givenAs, ...facts, clock, denied: facts.mode === "sentinel" ? [] : [...new Set(denied)] };
}

function listFrom(answer: unknown): readonly unknown[] {
  return Array.isArray(answer) ? answer : [];
}

/** The server's own word, and not the end of the connection. */
function isAnswer(error: unknown): boolean {
  return error instanceof Error && error.name === "ReplyError";
}

/** TIME is seconds and microseconds, read somewhere between the question and the answer. */
function clockFrom(answer: unknown, sentAtMs: number, answeredAtMs: number): NodeFacts["clock"] {
  if (!Array.isArray(answer)) return undefined;
  const wallMs = Number(answer[0]) * MILLIS_PER_SECOND + Number(answer[1]) / MICROS_PER_MILLI;
  const uncertaintyMs = (answeredAtMs - sentAtMs) / 2;
  return { offsetMs: wallMs - sentAtMs - uncertaintyMs, uncertaintyMs };
}

/** Questions that are no lock commands: asked when the connection is there, within a time limit. */
import type { Redis } from "ioredis";
import { failureText } from "./failure-text.ts";

/** What is asked, and what is given where there is no answer. */
export interface Question<Answer> {
  readonly client: Redis;
  /** For the connection, where it is being made, and the answer together, in milliseconds. */
  readonly limitMs: number;
  /** Asks, over a connection that is ready. A rejection counts as no answer. */
  readonly ask: () => Promise<Answer>;
  /** What is given instead of an answer. */
  readonly giveUp: (why: WhyNoAnswer) => Answer;
}

/** Why there is no answer: the connection is away, or stands and owes it; else, what the question rejected with. */
export type WhyNoAnswer =
  | { readonly kind: "away" }
  | { readonly kind: "late" }
  | { readonly kind: "failed"; readonly failure: unknown };

/** Never rejects, and leaves neither timer nor listener behind. A client that was closed answers at once. */
export function askWithin<Answer>({ client, limitMs, ask, giveUp }: Question<Answer>): Promise<Answer> {
  return new Promise((resolve) => {
    const settle = (answer: Answer): void => {
      clearTimeout(timer);
      client.off("ready", askNow);
      client.off("end", onEnd);
      resolve(answer);
    };
    const onEnd = (): void => {
      settle(giveUp({ kind: "away" }));
    };
    const askNow = (): void => {
      ask().then(settle, (failure: unknown) => {
        settle(giveUp(client.status === "ready" ? { kind: "failed", failure } : { kind: "away" }));
      });
    };
    const timer = setTimeout(() => {
      settle(giveUp({ kind: client.status === "ready" ? "late" : "away" }));
    }, limitMs);
    client.once("end", onEnd);
    if (client.status === "ready") askNow();
    else if (client.status === "end") onEnd();
    else client.once("ready", askNow);
  });
}

/** @param whyAway what is known of a connection that does not stand. */
export function whyNoAnswerText(why: WhyNoAnswer, whyAway: string): string {
  switch (why.kind) {
    case "away":
      return whyAway;
    case "late":
      return "no answer yet";
    case "failed":
      return failureText(why.failure instanceof Error ? why.failure.message : String(why.failure));
  }
}

/**
 * The way to Toxiproxy's control interface: every call has a time limit, and a refusal keeps the server's own
 * words and status. It takes the place of the transport inside `toxiproxy-node-client`, which has neither.
 */
import { InfrastructureError } from "../../../lab-error.ts";

export class ToxiproxyError extends InfrastructureError {
  /** HTTP status; `undefined` when no answer came. */
  readonly status: number | undefined;

  constructor(message: string, options: { readonly status?: number; readonly cause?: unknown } = {}) {
    super(message, "cause" in options ? { cause: options.cause } : undefined);
    this.status = options.status;
  }
}

export type HttpMethod = "GET" | "POST" | "PATCH" | "DELETE";

export class ToxiproxyHttp {
  readonly #limitMs: number;

  constructor({ limitMs }: { readonly limitMs: number }) {
    this.#limitMs = limitMs;
  }

  /** @throws ToxiproxyError when the server refuses, is away, or is silent beyond the limit. */
  async request(method: HttpMethod, url: string, body?: unknown): Promise<unknown> {
    return parseAnswer(await this.requestText(method, url, body));
  }

  async requestText(method: HttpMethod, url: string, body?: unknown): Promise<string> {
    const what = `${method} ${new URL(url).pathname}`;
    const { ok, status, text } = await this.#send(what, url, {
      method,
      ...(body === undefined
        ? {}
        : { body: JSON.stringify(body), headers: { "Content-Type": "application/json" } }),
    });
    if (ok) return text;
    throw new ToxiproxyError(`Toxiproxy refused ${what}: ${refusalText(text)} (status ${status}).`, {
      status,
    });
  }

  async #send(what: string, url: string, init: RequestInit) {
    try {
      // The signal also bounds the reading of the body, where a hanging server can stop too.
      const answer = await fetch(url, { ...init, signal: AbortSignal.timeout(this.#limitMs) });
      return { ok: answer.ok, status: answer.status, text: await answer.text() };
    } catch (cause) {
      throw new ToxiproxyError(`Toxiproxy did not answer ${what}: ${failureText(cause, this.#limitMs)}.`, {
        cause,
      });
    }
  }
}

/** Errors are JSON that is sent as plain text; proxies in between may answer with anything. */
export function refusalText(body: string): string {
  const answer = parseAnswer(body);
  if (typeof answer === "object" && answer !== null && "error" in answer) return String(answer.error);
  return body.trim() === "" ? "no reason given" : body.trim();
}

function parseAnswer(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Nothing, or no JSON: the caller gets what there is.
    return undefined;
  }
}

function failureText(cause: unknown, limitMs: number): string {
  if (!(cause instanceof Error)) return String(cause);
  if (cause.name === "TimeoutError") return `nothing came within ${limitMs} ms`;
  // fetch() itself only says that it failed; why is one level down.
  return cause.cause instanceof Error ? cause.cause.message : cause.message;
}

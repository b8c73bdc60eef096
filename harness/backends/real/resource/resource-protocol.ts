/** What a worker and the protected resource say to each other, one JSON line each. */
import type { HoldId, WorkerId } from "../../../history/event.ts";
import type { ReadRequest, WriteRequest } from "../../../workload/protected-resource.ts";

export interface StampRequest {
  readonly resource: string;
  readonly worker: WorkerId;
  readonly hold: HoldId;
}

export type ResourceQuestion =
  | { readonly kind: "write"; readonly request: WriteRequest }
  | { readonly kind: "read"; readonly request: ReadRequest }
  | { readonly kind: "stamp"; readonly request: StampRequest };

/** To a stamp, that it is there. */
export interface ResourceAnswer {
  readonly accepted: boolean;
  /** The newest write; only of a read. */
  readonly saw?: string | null;
}

/** The answer carries the id of its question. */
export type Asked = ResourceQuestion & { readonly id: number };
export type Answered = ResourceAnswer & { readonly id: number };

export function isAsked(message: unknown): message is Asked {
  return hasId(message) && "kind" in message && "request" in message;
}

export function isAnswered(message: unknown): message is Answered {
  return hasId(message) && "accepted" in message;
}

function hasId(message: unknown): message is { readonly id: unknown } {
  return typeof message === "object" && message !== null && "id" in message;
}

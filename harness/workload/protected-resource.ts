/**
 * The resource that the lock is there to protect. It judges every write twice: as it is set up, and as a
 * resource that checks fencing tokens would. It keeps no data: what matters is what it accepted, in order.
 */
import type { WorkerId, HoldId, WriteJudged } from "../history/event.ts";

export interface WriteRequest {
  readonly resource: string;
  readonly worker: WorkerId;
  readonly hold: HoldId;
  readonly write: string;
  /** Decimal digits. */
  readonly fencingToken?: string;
}

export class ProtectedResource {
  readonly #checksTokens: boolean;
  readonly #highestTokens = new Map<string, bigint>();

  constructor(options: { readonly fencing: boolean }) {
    this.#checksTokens = options.fencing;
  }

  /** A token that is lower than the highest seen is refused; a write without one passes as it always did. */
  judge(request: WriteRequest): WriteJudged {
    const acceptedIfFenced = this.#passesFence(request);
    return {
      ...request,
      kind: "write-judged",
      accepted: this.#checksTokens ? acceptedIfFenced : true,
      acceptedIfFenced,
    };
  }

  #passesFence({ resource, fencingToken }: WriteRequest): boolean {
    if (fencingToken === undefined) return !this.#checksTokens;
    const token = BigInt(fencingToken);
    if (token < (this.#highestTokens.get(resource) ?? token)) return false;
    this.#highestTokens.set(resource, token);
    return true;
  }
}

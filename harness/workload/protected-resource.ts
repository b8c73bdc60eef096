/**
 * The resource that the lock is there to protect. It judges every write twice: as it is set up, and as a
 * resource that checks fencing tokens would. It keeps no data: what matters is what it accepted, in order.
 */
import type { HoldId, ReadJudged, WorkerId, WriteJudged } from "../history/event.ts";

export interface ReadRequest {
  readonly resource: string;
  readonly worker: WorkerId;
  readonly hold: HoldId;
  /** Decimal digits. */
  readonly fencingToken?: string;
}

export interface WriteRequest extends ReadRequest {
  readonly write: string;
  /** The newest write that the writer had read; `null`: there was none. */
  readonly basedOn?: string | null;
  /** Only where this hold's stamp is still on the resource. */
  readonly ifStamped?: boolean;
}

export class ProtectedResource {
  readonly #checksTokens: boolean;
  readonly #checksReaders: boolean;
  readonly #highestTokens = new Map<string, bigint>();
  readonly #newestWrites = new Map<string, string>();
  readonly #stamps = new Map<string, HoldId>();

  /** @param options.fenceReads readers show their token too, and it counts as a writer's does. */
  constructor(options: { readonly fencing: boolean; readonly fenceReads?: boolean }) {
    this.#checksTokens = options.fencing;
    this.#checksReaders = options.fencing && (options.fenceReads ?? false);
  }

  /** A token that is lower than the highest seen is refused; a write without one passes as it always did. */
  judge({ ifStamped, ...request }: WriteRequest): WriteJudged {
    const { resource, hold, write } = request;
    const isStampThere = ifStamped !== true || this.#stamps.get(resource) === hold;
    const acceptedIfFenced = this.#passesFence(request) && isStampThere;
    const accepted = this.#checksTokens ? acceptedIfFenced : isStampThere;
    if (accepted) this.#newestWrites.set(resource, write);
    return { kind: "write-judged", accepted, acceptedIfFenced, ...request };
  }

  read(request: ReadRequest): ReadJudged {
    const accepted = !this.#checksReaders || this.#passesFence(request);
    const saw = this.#newestWrites.get(request.resource) ?? null;
    return { kind: "read-judged", accepted, saw, ...request };
  }

  /** Whoever stamps last has the stamp; stamps have no order. */
  stamp(resource: string, hold: HoldId): void {
    this.#stamps.set(resource, hold);
  }

  #passesFence({ resource, fencingToken }: ReadRequest): boolean {
    if (fencingToken === undefined) return !this.#checksTokens;
    const token = BigInt(fencingToken);
    if (token < (this.#highestTokens.get(resource) ?? token)) return false;
    this.#highestTokens.set(resource, token);
    return true;
  }
}

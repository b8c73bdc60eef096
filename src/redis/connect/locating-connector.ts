/** Connects to a server that has to be looked up anew for each connection: a master that moves. */
import { AbstractConnector } from "ioredis";
import { Socket, createConnection } from "node:net";
import { type ConnectionOptions as TlsOptions, type TLSSocket, connect as connectTls } from "node:tls";
import { CONNECTION_OPTIONS } from "../connection-options.ts";
import type { HostAndPort } from "./endpoint.ts";

/** Finds out where the server is, within bounds of its own; rejects with a reason that a user understands. */
export type Locate = (signal: AbortSignal) => Promise<HostAndPort>;

interface LocatingOptions {
  readonly locate: Locate;
  readonly tls: TlsOptions | undefined;
  readonly family: number;
}

/** What ioredis calls a connector: a class that it makes one instance of for each client. */
export function locatingConnector(options: LocatingOptions): new () => LocatingConnector {
  return class extends LocatingConnector {
    constructor() {
      super(options);
    }
  };
}

class LocatingConnector extends AbstractConnector {
  readonly #options: LocatingOptions;
  #search: AbortController | undefined;

  constructor(options: LocatingOptions) {
    super(CONNECTION_OPTIONS.disconnectTimeout ?? 0);
    this.#options = options;
  }

  override async connect(): Promise<Socket | TLSSocket> {
    this.connecting = true;
    const search = new AbortController();
    this.#search = search;
    try {
      const at = await this.#options.locate(search.signal);
      search.signal.throwIfAborted();
      this.stream = this.#dial(at);
    } catch (error) {
      // ioredis gives up for good on a connector that rejects, and tries again when a stream has failed.
      if (!search.signal.aborted) return this.#failedStream(error);
      throw new Error("Connection is closed.", { cause: error });
    }
    this.stream.once("error", (error: Error) => {
      this.firstError = error;
    });
    return this.stream;
  }

  override disconnect(): void {
    this.#search?.abort();
    super.disconnect();
  }

  #dial({ host, port }: HostAndPort): Socket | TLSSocket {
    const { tls, family } = this.#options;
    const address = { host, port, ...(family === 0 ? {} : { family }) };
    return tls === undefined ? createConnection(address) : connectTls({ ...address, ...tls });
  }

  #failedStream(error: unknown): Socket {
    this.firstError = error instanceof Error ? error : new Error(String(error));
    return new Socket().destroy();
  }
}

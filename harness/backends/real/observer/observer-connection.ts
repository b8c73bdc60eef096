/**
 * One connection to one node on which everything that happens to keys arrives in the order in which it
 * happened: the keys there are, then keyspace notices and MONITOR's lines. It lasts until the node goes.
 */
import { connect, type Socket } from "node:net";
import { RespReader, type RespValue, respCommand, respText } from "../resp/resp-reader.ts";
import { type KeyScan, keyScanFrom, SCAN_COMMAND } from "./key-scan.ts";
import { type MonitorLine, parseMonitorLine } from "./monitor-line.ts";

export interface ObserverListener {
  /** First of all, once. */
  readonly onScan: (scan: KeyScan) => void;
  readonly onNotice: (notice: string, key: string) => void;
  readonly onLine: (line: MonitorLine) => void;
}

/**
 * Sent in one piece, so that the server does it in one go. Notices are ordered before the scan: one that comes
 * between the scan and MONITOR's answer proves that it was not one go, and the connection is given up.
 */
const HANDSHAKE = [["HELLO", "3"], ["PSUBSCRIBE", "__keyevent@0__:*"], SCAN_COMMAND, ["MONITOR"]]
  .map(respCommand)
  .join("");
const HANDSHAKE_LIMIT_MS = 2_000;

type Stage = "greeting" | "scanning" | "turning" | "watching";

export class ObserverConnection {
  /** True once all that happens is being told. */
  isWatching = false;
  /** Resolves with `isWatching` as soon as that is decided. Never rejects. */
  readonly ready: Promise<boolean>;
  /** Resolves when the connection is gone. Never rejects. */
  readonly ended: Promise<void>;
  readonly #socket: Socket;
  readonly #listener: ObserverListener;
  readonly #reader = new RespReader();
  readonly #pongs: (() => void)[] = [];
  #decide: (isWatching: boolean) => void = () => undefined;
  #stage: Stage = "greeting";
  #scan: KeyScan | undefined;

  constructor(port: number, listener: ObserverListener) {
    this.#listener = listener;
    this.#socket = connect({ port, host: "127.0.0.1" });
    this.ready = new Promise((resolve) => {
      this.#decide = resolve;
    });
    const timer = setTimeout(() => {
      if (!this.isWatching) this.#socket.destroy();
    }, HANDSHAKE_LIMIT_MS);
    this.ended = new Promise((resolve) => {
      this.#socket.on("close", () => {
        clearTimeout(timer);
        this.isWatching = false;
        this.#decide(false);
        resolve();
      });
    });
    // Why it went is the business of whoever ended the node.
    this.#socket.on("error", () => undefined);
    this.#socket.on("data", (chunk) => {
      this.#read(chunk);
    });
    this.#socket.setNoDelay(true).write(HANDSHAKE);
  }

  /** Resolves when everything that had happened on the node before this call has been told. */
  catchUp(): Promise<void> {
    return new Promise((resolve) => {
      this.#pongs.push(resolve);
      this.#socket.write(respCommand(["PING"]));
    });
  }

  close(): void {
    this.#socket.destroy();
  }

  #read(chunk: Buffer): void {
    try {
      for (const value of this.#reader.read(chunk)) this.#take(value);
    } catch {
      // Not a Redis server: nothing of it can be believed.
      this.#socket.destroy();
    }
  }

  #take(value: RespValue): void {
    if (value.kind === "push") this.#takePush(value.items);
    else if (this.#stage === "watching") this.#takeLine(respText(value));
    else this.#takeAnswer(value);
  }

  #takePush(items: readonly RespValue[]): void {
    const [kind, , channel, key] = items.map(respText);
    if (kind !== "pmessage" || channel === undefined || key === undefined) return;
    if (this.#stage === "turning") this.#socket.destroy();
    if (this.#stage !== "watching") return;
    this.#listener.onNotice(channel.slice(channel.indexOf(":") + 1), key);
  }

  #takeLine(text: string | undefined): void {
    if (text === "PONG") {
      this.#pongs.shift()?.();
      return;
    }
    const line = text === undefined ? undefined : parseMonitorLine(text);
    if (line !== undefined) this.#listener.onLine(line);
  }

  #takeAnswer(value: RespValue): void {
    if (value.kind === "error") {
      this.#socket.destroy();
    } else if (this.#stage === "greeting") {
      this.#stage = "scanning";
    } else if (this.#stage === "scanning") {
      this.#scan = keyScanFrom(value);
      this.#stage = "turning";
    } else if (this.#scan === undefined) {
      this.#socket.destroy();
    } else {
      this.#stage = "watching";
      this.isWatching = true;
      this.#listener.onScan(this.#scan);
      this.#decide(true);
    }
  }
}

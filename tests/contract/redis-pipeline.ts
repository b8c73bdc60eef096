/** One connection on which many commands go out in one piece. */
import { connect, type Socket } from "node:net";
import { RespReader, type RespValue, respCommand } from "../../harness/backends/real/resp/resp-reader.ts";

interface Batch {
  readonly count: number;
  readonly resolve: (values: readonly RespValue[]) => void;
  readonly reject: (error: Error) => void;
}

export class RedisPipeline {
  readonly #socket: Socket;
  readonly #reader = new RespReader();
  #values: RespValue[] = [];
  #batch: Batch | undefined;

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.setNoDelay(true);
    socket.on("data", (chunk) => this.#read(chunk));
    socket.on("error", (error) => this.#fail(error));
    socket.on("close", () => this.#fail(new Error("the connection has gone")));
  }

  static open(port: number): Promise<RedisPipeline> {
    return new Promise((resolve, reject) => {
      const socket = connect({ port, host: "127.0.0.1" });
      socket.once("error", reject);
      socket.once("connect", () => {
        socket.off("error", reject);
        resolve(new RedisPipeline(socket));
      });
    });
  }

  /** Resolves with as many answers, in the same order; one batch at a time. */
  ask(commands: readonly (readonly string[])[]): Promise<readonly RespValue[]> {
    if (commands.length === 0) return Promise.resolve([]);
    if (this.#batch !== undefined) throw new Error("the last batch has not been answered");
    return new Promise((resolve, reject) => {
      this.#batch = { count: commands.length, resolve, reject };
      this.#socket.write(commands.map(respCommand).join(""));
    });
  }

  close(): void {
    this.#socket.destroy();
  }

  #read(chunk: Buffer): void {
    this.#values.push(...this.#reader.read(chunk));
    const batch = this.#batch;
    if (batch === undefined || this.#values.length < batch.count) return;
    const values = this.#values;
    this.#values = [];
    this.#batch = undefined;
    batch.resolve(values);
  }

  #fail(error: Error): void {
    const batch = this.#batch;
    this.#batch = undefined;
    batch?.reject(error);
  }
}

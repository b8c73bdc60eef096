/**
 * One node: a redis-server process with a directory, a port, a persistence mode and, with the clock shim, a
 * wall clock of its own. It is killed and started again under the same name; what it had on disk stays.
 */
import { join } from "node:path";
import { InfrastructureError } from "../../lab-error.ts";
import type { Persistence } from "../../scenario/lab-settings.ts";
import type { ClockControl } from "../real/clock/clock-control.ts";
import type { NodeClock } from "../real/clock/node-clock.ts";
import { NodeDisk } from "../real/node-disk.ts";
import type { NodeServer } from "../real/node-server.ts";
import { redisArguments } from "../real/redis-arguments.ts";
import { askRedis } from "../real/resp/ask-redis.ts";
import { respText } from "../real/resp/resp-reader.ts";
import { type ProcessLedger, RUN_LABEL } from "../real/process-ledger.ts";
import { ServerProcess } from "./server-process.ts";

export interface RedisProcessOptions {
  /** The node's name; for messages. */
  readonly name: string;
  readonly port: number;
  /** A directory of the node's own; it is made where it is not there, in one that is. */
  readonly folder: string;
  readonly persistence: Persistence;
  /** False: nobody may end another connection (CLIENT KILL); default true. */
  readonly endsConnections?: boolean;
  readonly program: string;
  /** The shim's shared object; without it the node has the host's clock and cannot lose power. */
  readonly shimPath?: string;
  readonly runLabel: string;
  readonly ledger: ProcessLedger;
}

const START_LIMIT_MS = 5_000;
const PROBE_LIMIT_MS = 500;

export class RedisProcess implements NodeServer {
  readonly name: string;
  readonly port: number;
  readonly #options: RedisProcessOptions;
  readonly #disk: NodeDisk;
  #server: ServerProcess | undefined;

  /** @throws InfrastructureError when the folder cannot be made. */
  constructor(options: RedisProcessOptions) {
    this.#options = options;
    this.name = options.name;
    this.port = options.port;
    const { name, folder, shimPath } = options;
    this.#disk = new NodeDisk({ name, folder, hasShim: shimPath !== undefined });
  }

  get clock(): NodeClock {
    return this.#disk.clock;
  }

  get clockControl(): ClockControl | undefined {
    return this.#disk.clockControl;
  }

  get isRunning(): boolean {
    return this.#server?.isRunning === true;
  }

  get pid(): number | undefined {
    return this.isRunning ? this.#server?.pid : undefined;
  }

  /**
   * Starts the server, for the first time or again; resolves when it answers.
   *
   * @throws InfrastructureError when it does not within some seconds; no process is left then.
   */
  async start(): Promise<void> {
    if (this.isRunning) throw new Error(`node ${this.name} is running already`);
    this.#disk.beginLife();
    const server = new ServerProcess(this.#command(), this.#options.ledger);
    this.#server = server;
    const readiness = await server.becomeReady(() => this.#answers(server.pid), { limitMs: START_LIMIT_MS });
    if (readiness === "ready") return;
    await server.end();
    const { program } = this.#options;
    const how = readiness === "late" ? `did not answer within ${START_LIMIT_MS} ms` : "did not start";
    throw new InfrastructureError(
      `Node ${this.name} (${program}) ${how} on port ${this.port}: ${await server.reason()}.`,
    );
  }

  /** SIGKILL; resolves when the process is gone. What it had written to its files stays, synced or not. */
  async kill(): Promise<void> {
    await this.#server?.end();
    this.#disk.endLife();
  }

  /**
   * SIGKILL, and what was not synced is cut off the append-only file.
   *
   * @returns how many bytes are gone.
   * @throws InfrastructureError when the node keeps such a file and runs without the shim.
   */
  async losePower(): Promise<number> {
    await this.kill();
    return this.#disk.losePower();
  }

  /** What it had on disk is gone: the next one that is started here is another server. Only while it is down. */
  forgetAll(): void {
    this.#disk.forgetAll();
  }

  /** SIGSTOP: connections stand, nobody answers. */
  stall(): void {
    this.#server?.signal("SIGSTOP");
  }

  resume(): void {
    this.#server?.signal("SIGCONT");
  }

  /** Ends the node for good. Never rejects; harmless when repeated. */
  async stop(): Promise<void> {
    await this.#server?.end();
    this.#disk.close();
  }

  #command() {
    const { program, folder, shimPath, runLabel } = this.#options;
    return {
      program,
      args: redisArguments({ ...this.#options, bind: "127.0.0.1" }),
      folder,
      logPath: join(folder, "redis.log"),
      environment: {
        [RUN_LABEL]: runLabel,
        ...(shimPath === undefined ? {} : this.clockControl?.environment(shimPath)),
      },
    };
  }

  /** True when it is this very process that answers, not another server on the same port. */
  async #answers(pid: number | undefined): Promise<boolean> {
    try {
      const info = respText(await askRedis(this.port, ["INFO", "server"], { limitMs: PROBE_LIMIT_MS }));
      if (info?.includes(`process_id:${String(pid)}\r\n`) !== true) return false;
      // INFO answers while the append-only file is still being loaded; PING does not.
      return respText(await askRedis(this.port, ["PING"], { limitMs: PROBE_LIMIT_MS })) === "PONG";
    } catch {
      // Not listening yet: asked again.
      return false;
    }
  }
}

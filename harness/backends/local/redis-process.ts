/**
 * One node: a redis-server process with a directory, a port, a persistence mode and, with the clock shim, a
 * wall clock of its own. It is killed and started again under the same name; what it had on disk stays.
 */
import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { InfrastructureError } from "../../lab-error.ts";
import type { Persistence } from "../../scenario/lab-settings.ts";
import { cutAppendOnlyFile, newestAppendOnlyFile, removeAppendOnlyFiles } from "../real/append-only-files.ts";
import { ClockControl } from "../real/clock/clock-control.ts";
import { type NodeClock, startNodeClock } from "../real/clock/node-clock.ts";
import { askRedis } from "../real/resp/ask-redis.ts";
import { respText } from "../real/resp/resp-reader.ts";
import { type ProcessLedger, RUN_LABEL } from "../real/process-ledger.ts";
import { ServerProcess } from "./server-process.ts";
import { readWallClock } from "../real/clock/wall-clock.ts";

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

export class RedisProcess {
  readonly name: string;
  readonly port: number;
  /** Absent without the shim. */
  readonly clockControl: ClockControl | undefined;
  readonly #options: RedisProcessOptions;
  readonly #hostClock: NodeClock;
  /** What is on disk of each append-only file, by its sequence, as all lives of this node have synced it. */
  readonly #durableBytes = new Map<number, number>();
  #server: ServerProcess | undefined;

  /** @throws InfrastructureError when the folder cannot be made. */
  constructor(options: RedisProcessOptions) {
    this.#options = options;
    this.name = options.name;
    this.port = options.port;
    makeFolder(options.folder);
    this.#hostClock = startNodeClock(readWallClock());
    this.clockControl =
      options.shimPath === undefined ? undefined : new ClockControl(join(options.folder, "clock.cell"));
  }

  /** The node's wall clock as it has been moved so far. */
  get clock(): NodeClock {
    return this.clockControl?.clock ?? this.#hostClock;
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
    this.clockControl?.forgetSynced();
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
    this.#noteDurable();
  }

  /**
   * SIGKILL, and what was not synced is cut off the append-only file.
   *
   * @returns how many bytes are gone.
   * @throws InfrastructureError when the node keeps such a file and runs without the shim.
   */
  async losePower(): Promise<number> {
    await this.kill();
    const file = newestAppendOnlyFile(this.#options.folder);
    if (file === undefined) return 0;
    if (this.clockControl === undefined) {
      throw new InfrastructureError(`Node ${this.name} cannot lose power: that needs the clock shim.`);
    }
    return cutAppendOnlyFile(file, this.#durableBytes.get(file.sequence) ?? 0);
  }

  /** What it had on disk is gone: the next one that is started here is another server. Only while it is down. */
  forgetAll(): void {
    removeAppendOnlyFiles(this.#options.folder);
    this.#durableBytes.clear();
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
    this.clockControl?.close();
  }

  #command() {
    const { program, folder, shimPath, runLabel } = this.#options;
    return {
      program,
      args: redisArguments(this.#options),
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

  #noteDurable(): void {
    const synced = this.clockControl?.syncedLength();
    if (synced === undefined) return;
    const known = this.#durableBytes.get(synced.fileSequence) ?? 0;
    this.#durableBytes.set(synced.fileSequence, Math.max(known, synced.bytes));
  }
}

/** The whole configuration of a node; no file is read. */
export function redisArguments({
  port,
  folder,
  persistence,
  endsConnections = true,
}: Pick<RedisProcessOptions, "port" | "folder" | "persistence" | "endsConnections">): readonly string[] {
  return [
    ...["--port", String(port), "--bind", "127.0.0.1", "--dir", folder, "--daemonize", "no"],
    // A server that writes a title over its environment could not be found by its label.
    ...["--set-proc-title", "no"],
    ...["--save", "", "--maxmemory-policy", "noeviction", "--aof-load-truncated", "yes"],
    // Tells the observer which commands had an effect.
    ...["--notify-keyspace-events", "Eg$xe"],
    ...["--appendonly", persistence === "none" ? "no" : "yes"],
    ...["--appendfsync", persistence === "aof-always" ? "always" : "everysec"],
    ...(endsConnections ? [] : ["--user", ..."default on nopass ~* &* +@all -client|kill".split(" ")]),
  ];
}

function makeFolder(folder: string): void {
  try {
    if (!existsSync(folder)) mkdirSync(folder);
  } catch (error) {
    throw new InfrastructureError(`${folder} cannot be made; choose a folder that you can write.`, {
      cause: error,
    });
  }
}

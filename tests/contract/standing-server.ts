/** A real redis-server whose clock stands, with one connection to it. */
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { type RespValue, respText } from "../../harness/backends/real/resp/resp-reader.ts";
import { RedisProcess } from "../../harness/backends/local/redis-process.ts";
import type { ProcessLedger } from "../../harness/backends/real/process-ledger.ts";
import type { Persistence } from "../../harness/scenario/lab-settings.ts";
import { CLOCK_START_MS } from "./contract-step.ts";
import { RedisPipeline } from "./redis-pipeline.ts";
import { StandingClock } from "./standing-clock.ts";

export interface ServerPlace {
  readonly program: string;
  readonly shimPath: string;
  readonly port: number;
  /** One that exists; the server makes one of its own in it. */
  readonly folder: string;
  readonly runLabel: string;
  readonly ledger: ProcessLedger;
}

const MS_PER_SECOND = 1_000;
const MICROS_PER_MS = 1_000;

/** TIME's answer: seconds, and the microseconds within. */
function wholeMs([seconds, micros]: readonly RespValue[]): number {
  if (seconds === undefined || micros === undefined) return Number.NaN;
  return Number(respText(seconds)) * MS_PER_SECOND + Math.floor(Number(respText(micros)) / MICROS_PER_MS);
}

/** Syncs run beside the server; one takes some milliseconds. */
const SETTLE_POLLS_MAX = 100_000;

export class StandingServer {
  readonly clock: StandingClock;
  readonly #process: RedisProcess;
  readonly #folder: string;
  #pipeline: RedisPipeline | undefined;

  private constructor(process: RedisProcess, { clock, folder }: { clock: StandingClock; folder: string }) {
    this.#process = process;
    this.#folder = folder;
    this.clock = clock;
  }

  /** @param name of the server's own folder; a new one for a server without a past. */
  static async start(
    { folder, ...place }: ServerPlace,
    { persistence, name }: { readonly persistence: Persistence; readonly name: string },
  ): Promise<StandingServer> {
    const ownFolder = join(folder, name);
    const process = new RedisProcess({ ...place, name: "A", folder: ownFolder, persistence });
    const { clockControl } = process;
    if (clockControl === undefined) throw new Error("a clock that stands needs the shim");
    const server = new StandingServer(process, {
      clock: new StandingClock(clockControl.path),
      folder: ownFolder,
    });
    server.clock.set(CLOCK_START_MS);
    try {
      await server.comeUp();
    } catch (error) {
      await server.stop();
      throw error;
    }
    return server;
  }

  async comeUp(): Promise<void> {
    await this.#process.start();
    this.#pipeline = await RedisPipeline.open(this.#process.port);
  }

  async goDown(cause: "killed" | "power-loss"): Promise<void> {
    this.#pipeline?.close();
    if (cause === "killed") await this.#process.kill();
    else await this.#process.losePower();
  }

  holdSync(isHeld: boolean): void {
    this.#process.clockControl?.holdSync(isHeld);
  }

  ask(commands: readonly (readonly string[])[]): Promise<readonly RespValue[]> {
    if (this.#pipeline === undefined) throw new Error("the server is not up");
    return this.#pipeline.ask(commands);
  }

  /** Waits until the server goes by what its clock shows: Valkey does not look at it for each command. */
  async settleClock(): Promise<void> {
    const shownMs = Math.floor(this.clock.shownMs);
    for (let polls = 0; polls < SETTLE_POLLS_MAX; polls += 1) {
      const [time] = await this.ask([["TIME"]]);
      if (time?.kind === "list" && wholeMs(time.items) === shownMs) return;
    }
    throw new Error("the server does not go by its clock");
  }

  /** Waits until everything is written, and every sync that is due by the server's clock has ended. */
  async settle(): Promise<void> {
    for (let polls = 0; polls < SETTLE_POLLS_MAX; polls += 1) {
      const [info] = await this.ask([["INFO", "persistence"]]);
      const text = respText(info) ?? "";
      if (text.includes("aof_pending_bio_fsync:0") && text.includes("aof_buffer_length:0")) return;
    }
    throw new Error("the append-only file did not settle");
  }

  /** Nothing of it is left: a long comparison has thousands of servers. */
  async stop(): Promise<void> {
    this.#pipeline?.close();
    await this.#process.stop();
    this.clock.close();
    await rm(this.#folder, { recursive: true, force: true });
  }
}

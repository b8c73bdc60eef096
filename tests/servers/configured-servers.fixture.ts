/** Real redis-servers with settings of a test's own; `close` ends them all and leaves nothing behind. */
import { mkdtempSync, rmSync, writeFileSync, mkdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Redis } from "ioredis";
import { type PortReservation, reservePorts } from "../../harness/backends/real/port-reservation.ts";
import { findRedisServer, requireProgram } from "../../harness/backends/local/programs.ts";
import { ServerProcess } from "../../harness/backends/local/server-process.ts";

export interface ConfiguredServer {
  readonly port: number;
  /** The server's directory; its socket is there, through which `ask` asks with all rights. */
  readonly folder: string;
  readonly socketPath: string;
  readonly url: string;
  readonly ask: (...command: readonly string[]) => Promise<unknown>;
  readonly stall: () => void;
  readonly resume: () => void;
  readonly kill: () => Promise<void>;
  /** Starts it again, with other settings where some are given. */
  readonly start: (settings?: readonly string[]) => Promise<void>;
}

export interface ServerRoom {
  /**
   * @param settings as on the command line of redis-server; a setting that is repeated has its last value.
   */
  readonly start: (settings?: readonly string[]) => Promise<ConfiguredServer>;
  readonly startSentinel: (masterName: string, master: ConfiguredServer) => Promise<ConfiguredServer>;
  /** A Redis Cluster of three masters that know one another; the slots are shared out evenly. */
  readonly startCluster: () => Promise<readonly ConfiguredServer[]>;
  readonly close: () => Promise<void>;
}

const START_LIMIT_MS = 5_000;
const READY = /[Rr]eady to accept connections|Sentinel ID is|Loading RDB produced/;
const LEDGER = { watchProcess: () => undefined, forgetProcess: () => undefined };
const SLOT_COUNT = 16_384;

/** @throws InfrastructureError when there is no redis-server: the test fails, it does not skip. */
export async function openServerRoom(): Promise<ServerRoom> {
  const { path: program } = requireProgram(await findRedisServer());
  const room = mkdtempSync(join(tmpdir(), "redlock-lab-room-"));
  const reservations: PortReservation[] = [];
  const running: (() => Promise<void>)[] = [];

  const reserve = async (): Promise<number> => {
    const reservation = await reservePorts(1);
    reservations.push(reservation);
    return reservation.ports[0] ?? 0;
  };
  const run = async (
    port: number,
    argsFrom: (settings: readonly string[]) => readonly string[],
    folder: string,
  ) => {
    const server = new Server({ program, port, folder, argsFrom });
    running.push(() => server.kill());
    await server.start();
    return server;
  };
  const start = async (settings: readonly string[] = []): Promise<ConfiguredServer> => {
    const port = await reserve();
    const folder = join(room, String(port));
    mkdirSync(folder);
    const plain = ["--port", String(port), "--bind", "127.0.0.1", "--dir", folder, "--save", ""];
    const socket = ["--unixsocket", join(folder, "redis.sock")];
    return run(port, (more) => [...plain, ...socket, ...(more.length > 0 ? more : settings)], folder);
  };
  return {
    start,
    startSentinel: async (masterName, master) => {
      const port = await reserve();
      const folder = join(room, String(port));
      mkdirSync(folder);
      const file = join(folder, "sentinel.conf");
      writeFileSync(file, sentinelFile({ port, folder, masterName, masterPort: master.port }));
      return run(port, () => [file, "--sentinel"], folder);
    },
    startCluster: async () => {
      const servers: ConfiguredServer[] = [];
      for (let index = 0; index < 3; index++) {
        servers.push(await start(["--cluster-enabled", "yes", "--cluster-port", String(await reserve())]));
      }
      await joinCluster(servers);
      return servers;
    },
    close: async () => {
      await Promise.all(running.map((kill) => kill()));
      await Promise.all(reservations.map((reservation) => reservation.release()));
      rmSync(room, { recursive: true, force: true });
    },
  };
}

interface ServerParts {
  readonly program: string;
  readonly port: number;
  readonly folder: string;
  readonly argsFrom: (settings: readonly string[]) => readonly string[];
}

class Server implements ConfiguredServer {
  readonly port: number;
  readonly folder: string;
  readonly socketPath: string;
  readonly url: string;
  readonly #parts: ServerParts;
  #process: ServerProcess | undefined;

  constructor(parts: ServerParts) {
    this.#parts = parts;
    this.port = parts.port;
    this.folder = parts.folder;
    this.socketPath = join(parts.folder, "redis.sock");
    this.url = `redis://127.0.0.1:${String(parts.port)}`;
  }

  async start(settings: readonly string[] = []): Promise<void> {
    const { program, folder, argsFrom } = this.#parts;
    const server = new ServerProcess(
      { program, args: argsFrom(settings), folder, logPath: join(folder, "redis.log"), environment: {} },
      LEDGER,
    );
    this.#process = server;
    const readiness = await server.becomeReady(() => Promise.resolve(READY.test(server.log())), {
      limitMs: START_LIMIT_MS,
    });
    if (readiness !== "ready") {
      await server.end();
      throw new Error(`the server on port ${String(this.port)} is ${readiness}: ${await server.reason()}`);
    }
  }

  async ask(...[name = "", ...args]: readonly string[]): Promise<unknown> {
    const client = new Redis({ path: this.socketPath, enableReadyCheck: false });
    try {
      return await client.call(name, ...args);
    } finally {
      client.disconnect();
    }
  }

  stall(): void {
    this.#process?.signal("SIGSTOP");
  }

  resume(): void {
    this.#process?.signal("SIGCONT");
  }

  async kill(): Promise<void> {
    await this.#process?.end();
  }
}

function sentinelFile(of: {
  readonly port: number;
  readonly folder: string;
  readonly masterName: string;
  readonly masterPort: number;
}): string {
  return [
    `port ${String(of.port)}`,
    "bind 127.0.0.1",
    `dir ${of.folder}`,
    `unixsocket ${join(of.folder, "redis.sock")}`,
    `sentinel monitor ${of.masterName} 127.0.0.1 ${String(of.masterPort)} 1`,
    `sentinel down-after-milliseconds ${of.masterName} 1000`,
    `sentinel failover-timeout ${of.masterName} 3000`,
  ].join("\n");
}

async function joinCluster(servers: readonly ConfiguredServer[]): Promise<void> {
  const [first] = servers;
  for (const [index, server] of servers.entries()) {
    const from = Math.ceil((index * SLOT_COUNT) / servers.length);
    const to = Math.ceil(((index + 1) * SLOT_COUNT) / servers.length) - 1;
    await server.ask("CLUSTER", "ADDSLOTSRANGE", String(from), String(to));
    if (server === first) continue;
    const bus = String(await server.ask("CONFIG", "GET", "cluster-port")).split(",")[1] ?? "";
    await first?.ask("CLUSTER", "MEET", "127.0.0.1", String(server.port), bus);
  }
  for (let looks = 0; looks < 500; looks++) {
    const infos = await Promise.all(servers.map((server) => server.ask("CLUSTER", "INFO")));
    if (infos.every((info) => /cluster_state:ok[\s\S]*cluster_known_nodes:3/.test(String(info)))) return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  throw new Error("the cluster did not come about");
}

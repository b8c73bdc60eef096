/** Real redis-servers for a test, each in a folder of its own; `close` leaves nothing behind. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Redis } from "ioredis";
import { reservePorts } from "../../harness/backends/real/port-reservation.ts";
import { RedisProcess } from "../../harness/backends/local/redis-process.ts";
import { requireServer } from "./other-servers.ts";

export interface RedisServers {
  readonly servers: readonly RedisProcess[];
  readonly urls: readonly string[];
  /** The server of that name: `A`, `B`, … */
  readonly server: (name: string) => RedisProcess;
  /** `A orders`: the keys that match, on all servers that run. */
  readonly keysOf: (pattern: string) => Promise<readonly string[]>;
  /** Sends one command to one server, on a connection of its own. */
  readonly ask: (name: string, ...command: readonly string[]) => Promise<unknown>;
  readonly close: () => Promise<void>;
}

/**
 * @param program the path of another server's than the laboratory's own.
 * @throws InfrastructureError when there is no such server: the test fails, it does not skip.
 */
export async function startRedisServers(count: number, program?: string): Promise<RedisServers> {
  const { path } = await requireServer(program);
  const reservation = await reservePorts(count);
  const folder = mkdtempSync(join(tmpdir(), "redlock-lab-test-"));
  const servers = reservation.ports.map(
    (port, index) =>
      new RedisProcess({
        name: String.fromCharCode(65 + index),
        port,
        folder: join(folder, String(port)),
        persistence: "none",
        program: path,
        runLabel: "test",
        ledger: { watchProcess: () => undefined, forgetProcess: () => undefined },
      }),
  );
  const close = async (): Promise<void> => {
    await Promise.all(servers.map((server) => server.stop()));
    await reservation.release();
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    await Promise.all(servers.map((server) => server.start()));
  } catch (error) {
    await close();
    throw error;
  }
  const server = (name: string): RedisProcess => {
    const found = servers.find((one) => one.name === name);
    if (found === undefined) throw new Error(`no server ${name}`);
    return found;
  };
  return {
    servers,
    urls: reservation.ports.map((port) => `redis://127.0.0.1:${port}`),
    server,
    keysOf: (pattern) => keysOf(servers, pattern),
    ask: (name, ...command) => ask(server(name), command),
    close,
  };
}

async function keysOf(servers: readonly RedisProcess[], pattern: string): Promise<readonly string[]> {
  const keys: string[] = [];
  for (const server of servers.filter(({ isRunning }) => isRunning)) {
    const found = (await ask(server, ["KEYS", pattern])) as readonly string[];
    keys.push(...found.map((key) => `${server.name} ${key}`));
  }
  return keys;
}

async function ask(server: RedisProcess, [name = "", ...args]: readonly string[]): Promise<unknown> {
  const client = new Redis(server.port, "127.0.0.1");
  try {
    return await client.call(name, ...args);
  } finally {
    client.disconnect();
  }
}

/** Real redis-servers for a test, each in a folder of its own; `close` leaves nothing behind. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { reservePorts } from "../../harness/backends/local/port-reservation.ts";
import { findRedisServer, requireProgram } from "../../harness/backends/local/programs.ts";
import { RedisProcess } from "../../harness/backends/local/redis-process.ts";

export interface RedisServers {
  readonly servers: readonly RedisProcess[];
  readonly urls: readonly string[];
  readonly close: () => Promise<void>;
}

/** @throws InfrastructureError when there is no redis-server: the test fails, it does not skip. */
export async function startRedisServers(count: number): Promise<RedisServers> {
  const { path: program } = requireProgram(await findRedisServer());
  const reservation = await reservePorts(count);
  const folder = mkdtempSync(join(tmpdir(), "redlock-lab-test-"));
  const servers = reservation.ports.map(
    (port, index) =>
      new RedisProcess({
        name: String.fromCharCode(65 + index),
        port,
        folder: join(folder, String(port)),
        persistence: "none",
        program,
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
  return { servers, urls: reservation.ports.map((port) => `redis://127.0.0.1:${port}`), close };
}

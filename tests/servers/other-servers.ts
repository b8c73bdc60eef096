/** Servers other than the laboratory's own that the coordinator is tested on; `scripts/bring-servers.sh` brings them. */
import { join } from "node:path";
import {
  cacheFolder,
  findRedisServer,
  type FoundProgram,
  ownSearch,
  requireProgram,
} from "../../harness/backends/local/programs.ts";

export interface OtherServer {
  readonly name: string;
  readonly path: string;
}

export const OTHER_SERVERS: readonly OtherServer[] = ["redis-8.2.3", "valkey-9.1.2"].map((name) => ({
  name,
  path: join(cacheFolder(), "servers", name),
}));

/**
 * The program of a server.
 *
 * @param path of another one than the laboratory's own.
 * @throws InfrastructureError with one sentence where it is not there: tests fail then, they do not skip.
 */
export async function requireServer(path?: string): Promise<FoundProgram> {
  const search = ownSearch();
  const env = path === undefined ? search.env : { ...search.env, REDIS_SERVER: path };
  return requireProgram(await findRedisServer({ ...search, env }));
}

/** Servers other than the laboratory's own that the coordinator is tested on; `scripts/bring-servers.sh` brings them. */
import { join } from "node:path";
import { cacheFolder } from "../../harness/backends/local/programs.ts";

export interface OtherServer {
  readonly name: string;
  readonly path: string;
}

export const OTHER_SERVERS: readonly OtherServer[] = ["redis-8.2.3", "valkey-9.1.2"].map((name) => ({
  name,
  path: join(cacheFolder(), "servers", name),
}));

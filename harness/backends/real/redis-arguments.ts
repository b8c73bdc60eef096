/** The whole configuration of a node; no file is read. */
import type { Persistence } from "../../scenario/lab-settings.ts";

export interface RedisConfiguration {
  readonly port: number;
  /** The address it listens on. */
  readonly bind: string;
  /** Where it keeps its files, as the server sees it. */
  readonly folder: string;
  readonly persistence: Persistence;
  /** False: nobody may end another connection (CLIENT KILL); default true. */
  readonly endsConnections?: boolean | undefined;
}

export function redisArguments({
  port,
  bind,
  folder,
  persistence,
  endsConnections = true,
}: RedisConfiguration): readonly string[] {
  return [
    ...["--port", String(port), "--bind", bind, "--dir", folder, "--daemonize", "no"],
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

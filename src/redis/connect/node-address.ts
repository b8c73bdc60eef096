/** What a user may name a node by. */
import type { ConnectionOptions as TlsOptions } from "node:tls";
import type { HostAndPort, NatMap } from "./endpoint.ts";

/**
 * One node of the membership:
 * - `redis://[user[:password]@]host[:port][/database]`, or `rediss://…` for TLS,
 * - the path of a unix socket, as `/path` or `unix:///path`,
 * - a master behind Sentinel, a Redis Cluster as one node,
 * - an ioredis client: a connection of the node's own is made from its options; the client itself is not used.
 */
export type NodeAddress = string | SentinelAddress | ClusterAddress | IoredisClient;

/** A master that Redis Sentinel watches: whichever server the sentinels name when a connection is made. */
export interface SentinelAddress {
  /** `redis://` or `rediss://` addresses of sentinels, or host and port; 1 to 26. */
  readonly sentinels: readonly (string | HostAndPort)[];
  /** The name by which the sentinels know the master. */
  readonly name: string;
  readonly natMap?: NatMap;
}

/** A Redis Cluster as one node: all keys lie in the slot of the key prefix, and that slot's master votes. */
export interface ClusterAddress {
  /** `redis://` or `rediss://` addresses of some of its servers, or host and port; 1 to 26. */
  readonly cluster: readonly (string | HostAndPort)[];
  readonly natMap?: NatMap;
}

/** A `Redis` or `Cluster` of ioredis 4 to 6, by what is needed of it: copies of the package do not matter. */
export interface IoredisClient {
  readonly status: string;
  readonly options: object;
  duplicate(...args: never[]): unknown;
}

/** Options of `createNodes`; an address that says more has its own way. */
export interface NodeOptions {
  /** The nodes' names, all different, in the order of the addresses; default `A`, `B`, … */
  readonly names?: readonly string[];
  /** The ACL user; default: the server's `default` user. */
  readonly username?: string;
  readonly password?: string;
  /** TLS settings (`ca`, `cert`, `key`, `servername`, …) for `rediss://` addresses, Sentinel and Cluster. */
  readonly tls?: TlsOptions;
  /** How long one try to connect may take, in whole milliseconds from 1 to 60,000; default 2000. */
  readonly connectTimeoutMs?: number;
  /**
   * Put before every key, the same for every client of these nodes. On a Redis Cluster it needs a hash tag, so
   * that all keys share a slot; its default there is `{redlock}:`.
   */
  readonly keyPrefix?: string;
  /**
   * - `auto` (default): scripts, and where a server denies them the commands that compare by themselves.
   * - `never`: those commands alone: `DELEX … IFEQ` or `DELIFEQ`, and `SET … IFEQ` (Redis 8.4, Valkey 9.0 or newer). A
   *   lock is extended by them only to the TTL that it was acquired for; its extension to another one is refused.
   */
  readonly scripts?: "auto" | "never";
  /**
   * Says that no node forgets what it has answered for: each runs with `appendonly yes`, `appendfsync always` and
   * `no-appendfsync-on-rewrite no`, and has no replica. Such a node votes right after a restart; it is asked
   * (`CONFIG GET`, `INFO`), and one that is not so, or does not say, is guarded like any other. Default false.
   */
  readonly durable?: boolean;
}

/** The coordinator's public surface. */
export { createNodes } from "./redis/create-nodes.ts";
export {
  createPostgresTokens,
  type FencedWrite,
  passPostgresFence,
  POSTGRES_FENCING_TABLES,
  type PostgresClient,
} from "./fencing/postgres.ts";
export { createRedisCounter, type RedisCounter } from "./fencing/redis-counter.ts";
export { RedlockError, type RedlockErrorCode, type RedlockErrorJson } from "./errors.ts";
export type { AcquireEvent, FindingEvent, HoldEvent, Observer, OrphanEvent, RedlockEvent } from "./events.ts";
export type { Inspection } from "./inspection.ts";
export type { Lock, Release, ReleaseKind } from "./lock.ts";
export type { AcquireOptions, KeepAliveOptions, UsingOptions } from "./call-options.ts";
export type { RedlockOptions, RestartGuardOptions } from "./options.ts";
export type {
  ClusterAddress,
  IoredisClient,
  NodeAddress,
  NodeOptions,
  SentinelAddress,
} from "./redis/connect/node-address.ts";
export type { HostAndPort, NatMap } from "./redis/connect/endpoint.ts";
export type { Finding, FindingCode } from "./start-up/finding.ts";
export type { LookOptions } from "./look-options.ts";
export type { GivenAs, NodeFacts, NodeReport } from "./ports/node-facts.ts";
export type { NodeLook } from "./ports/node-look.ts";
export type { LockNode } from "./ports/node.ts";
export type { NodeEvent } from "./ports/node-event.ts";
export type { TokenSource } from "./ports/token-source.ts";
export type { Vote } from "./ports/vote.ts";
export { Redlock } from "./redlock.ts";
export type { LockBody } from "./use-lock.ts";

import type { RedisOptions } from "ioredis";
import { reconnectPauseMs } from "./reconnect-pause.ts";

const KEEP_ALIVE_MS = 10_000;
/** ioredis waits as long before it lets go of a connection that does not close, also of one long closed. */
const DISCONNECT_TIMEOUT_MS = 100;

/** `exactOptionalPropertyTypes` refuses the two overloads of `replyMapping`; it is not used here. */
export type ClientOptions = Omit<RedisOptions, "replyMapping">;

/**
 * Connection options under which a lock command is sent once or not at all. With ioredis' defaults it waits
 * in a queue while the node is away, or is sent again after a reconnect, and then runs when nobody knows of
 * it any more (scenario S52). The deadline of a command is the coordinator's: a time limit of the client
 * would end the connection's order of commands. There is no ready check: a server that is still loading answers
 * LOADING, and is down.
 */
export const CONNECTION_OPTIONS: ClientOptions = {
  enableOfflineQueue: false,
  autoResendUnfulfilledCommands: false,
  maxRetriesPerRequest: 0,
  enableReadyCheck: false,
  disconnectTimeout: DISCONNECT_TIMEOUT_MS,
  keepAlive: KEEP_ALIVE_MS,
  protocol: 2,
  disableClientInfo: true,
  retryStrategy: reconnectPauseMs,
};

/** Asks Sentinels, or the servers of a Redis Cluster, which server is the master. */
import { Redis } from "ioredis";
import { CONNECTION_OPTIONS } from "../connection-options.ts";
import { type Access, type HostAndPort, hostAndPortText, type NatMap } from "./endpoint.ts";
import type { Locate } from "./locating-connector.ts";
import { masterOfSlot, serversOfSlots } from "./cluster-slots.ts";

/** Who may be asked, and how. */
interface Asked {
  readonly servers: readonly HostAndPort[];
  readonly access: Access;
  readonly family: number;
  readonly connectTimeoutMs: number;
}

/** Servers of a cluster that are remembered beside those that were named. */
const REMEMBERED_MAX = 100;

/** The master as the first sentinel that answers knows it. */
export function locateBySentinel(
  asked: Asked,
  { masterName, natMap }: { readonly masterName: string; readonly natMap: NatMap },
): Locate {
  let { servers } = asked;
  return async (signal) => {
    const { answer, server } = await askFirst({ ...asked, servers }, signal, async (client, sentinel) => {
      const found = await client.call("SENTINEL", "get-master-addr-by-name", masterName);
      if (!Array.isArray(found)) {
        throw new Error(`the sentinel ${hostAndPortText(sentinel)} knows no master "${masterName}"`);
      }
      return { host: String(found[0]), port: Number(found[1]) };
    });
    servers = [server, ...servers.filter((other) => other !== server)];
    return translated(answer, natMap);
  };
}

/** The master of the slot in which all keys with this prefix lie. */
export function locateByCluster(
  asked: Asked,
  { keyPrefix, natMap }: { readonly keyPrefix: string; readonly natMap: NatMap },
): Locate {
  let remembered: readonly HostAndPort[] = [];
  return async (signal) => {
    const servers = [...asked.servers, ...remembered];
    const { answer } = await askFirst({ ...asked, servers }, signal, async (client, server) => {
      const slot = Number(await client.call("CLUSTER", "KEYSLOT", keyPrefix));
      const slots: unknown = await client.call("CLUSTER", "SLOTS");
      remembered = serversOfSlots(slots, server)
        .slice(0, REMEMBERED_MAX)
        .map((one) => translated(one, natMap));
      const master = masterOfSlot(slots, slot, server);
      if (master === undefined) {
        throw new Error(`the cluster at ${hostAndPortText(server)} has no master for slot ${String(slot)}`);
      }
      return master;
    });
    return translated(answer, natMap);
  };
}

/** Asks one after the other, each within the connect timeout, until one has an answer. */
async function askFirst<Answer>(
  { servers, access, family, connectTimeoutMs }: Asked,
  signal: AbortSignal,
  question: (client: Redis, server: HostAndPort) => Promise<Answer>,
): Promise<{ readonly answer: Answer; readonly server: HostAndPort }> {
  let failure: unknown;
  for (const server of servers) {
    signal.throwIfAborted();
    const client = questioner({ server, access, family, connectTimeoutMs });
    let whyAway: unknown;
    client.on("error", (error: Error) => {
      whyAway = error;
    });
    const end = (): void => {
      client.disconnect();
    };
    signal.addEventListener("abort", end);
    try {
      return { answer: await question(client, server), server };
    } catch (error) {
      failure = whyAway ?? error;
    } finally {
      signal.removeEventListener("abort", end);
      end();
    }
  }
  throw failure;
}

/** A client for one question: its commands wait for the one connection it makes, and no longer than that. */
function questioner({
  server,
  access: { username, password, tls },
  family,
  connectTimeoutMs,
}: Omit<Asked, "servers"> & { readonly server: HostAndPort }): Redis {
  return new Redis({
    ...CONNECTION_OPTIONS,
    ...server,
    ...(username === undefined ? {} : { username }),
    ...(password === undefined ? {} : { password }),
    ...(tls === undefined ? {} : { tls }),
    ...(family === 0 ? {} : { family }),
    enableOfflineQueue: true,
    retryStrategy: null,
    connectTimeout: connectTimeoutMs,
    commandTimeout: connectTimeoutMs,
  });
}

function translated(announced: HostAndPort, natMap: NatMap): HostAndPort {
  return natMap[hostAndPortText(announced)] ?? announced;
}

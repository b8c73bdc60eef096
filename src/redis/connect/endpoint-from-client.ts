/** What a user's own ioredis client connects to, read from its options. Pure: the client itself is not used. */
import type { ConnectionOptions as TlsOptions } from "node:tls";
import { misuse } from "../../misuse.ts";
import { propertyOf } from "./client-kinds.ts";
import { describeGiven } from "./describe-given.ts";
import type { Access, Endpoint, HostAndPort, NatMap, Place } from "./endpoint.ts";
import type { IoredisClient } from "./node-address.ts";

type ClientEndpoint = Pick<Endpoint, "place" | "access" | "db" | "family"> & {
  readonly keyPrefix: string | undefined;
};

const HOST_DEFAULT = "localhost";
const PORT_DEFAULT = 6379;
const SENTINEL_PORT_DEFAULT = 26_379;

/** @throws RedlockError `misuse` for a client whose way of connecting cannot be repeated. */
export function endpointFromClient(client: IoredisClient): ClientEndpoint {
  const isCluster = propertyOf(client, "isCluster") === true;
  const { options } = client;
  const own = isCluster ? (propertyOf(options, "redisOptions") ?? {}) : options;
  if (propertyOf(own, "Connector") !== undefined) {
    throw misuse("an ioredis client with a Connector of its own cannot be a node: pass the address instead");
  }
  return {
    place: isCluster ? clusterPlace(client) : placeOf(options),
    access: accessOf(own, isTlsUsed(own)),
    db: isCluster ? 0 : (numberOf(options, "db") ?? 0),
    family: numberOf(own, "family") ?? 0,
    keyPrefix: textOf(options, "keyPrefix"),
  };
}

function placeOf(options: object): Place {
  const sentinels = propertyOf(options, "sentinels");
  if (Array.isArray(sentinels)) return sentinelPlace(options, sentinels);
  const path = textOf(options, "path");
  if (path !== undefined) return { kind: "socket", path };
  return { kind: "server", ...hostAndPortOf(options, PORT_DEFAULT) };
}

function sentinelPlace(options: object, sentinels: readonly unknown[]): Place {
  if (propertyOf(options, "role") === "slave") {
    throw misuse("an ioredis client with role slave cannot be a node: a lock needs masters");
  }
  return {
    kind: "sentinel",
    sentinels: sentinels.map((sentinel) => hostAndPortOf(sentinel, SENTINEL_PORT_DEFAULT)),
    masterName: textOf(options, "name") ?? "",
    access: {
      username: textOf(options, "sentinelUsername"),
      password: textOf(options, "sentinelPassword"),
      tls: tlsOf(propertyOf(options, "sentinelTLS")),
    },
    natMap: natMapOf(options),
  };
}

function clusterPlace(client: IoredisClient): Place {
  const startupNodes = propertyOf(client, "startupNodes");
  if (!Array.isArray(startupNodes) || startupNodes.length === 0) {
    throw misuse(
      "this ioredis Cluster does not say where its servers are: pass {cluster: [addresses]} instead",
    );
  }
  return {
    kind: "cluster",
    seeds: startupNodes.map((node: unknown) => hostAndPortOf(node, PORT_DEFAULT)),
    natMap: natMapOf(client.options),
  };
}

function accessOf(options: unknown, isTls: boolean): Access {
  return {
    username: textOf(options, "username"),
    password: textOf(options, "password"),
    tls: isTls ? tlsOf(propertyOf(options, "tls")) : undefined,
  };
}

/** Behind Sentinel ioredis heeds `tls` only where it is told so. */
function isTlsUsed(options: unknown): boolean {
  return (
    !Array.isArray(propertyOf(options, "sentinels")) ||
    propertyOf(options, "enableTLSForSentinelMode") === true
  );
}

/** Client options name a server by an object, a port or an address. */
function hostAndPortOf(value: unknown, portDefault: number): HostAndPort {
  if (typeof value === "number") return { host: HOST_DEFAULT, port: value };
  if (typeof value === "string") {
    const url = new URL(value.includes("://") ? value : `redis://${value}`);
    const host = url.hostname.replace(/^\[|\]$/g, "");
    return { host, port: url.port === "" ? portDefault : Number(url.port) };
  }
  return {
    host: textOf(value, "host") ?? HOST_DEFAULT,
    port: numberOf(value, "port") ?? portDefault,
  };
}

function natMapOf(options: object): NatMap {
  const natMap = propertyOf(options, "natMap");
  if (typeof natMap === "function") {
    throw misuse("an ioredis client with a natMap function cannot be a node: give the map as an object");
  }
  const entries = typeof natMap === "object" && natMap !== null ? Object.entries(natMap) : [];
  return Object.fromEntries(
    entries.map(([announced, dialled]) => [announced, hostAndPortOf(dialled, PORT_DEFAULT)]),
  );
}

/** A `rediss://` address leaves `true` there. */
function tlsOf(tls: unknown): TlsOptions | undefined {
  if (tls === true) return {};
  return typeof tls === "object" && tls !== null ? tls : undefined;
}

function textOf(options: unknown, name: string): string | undefined {
  const value = propertyOf(options, name);
  if (value === undefined || value === null || value === "") return undefined;
  if (typeof value === "string") return value;
  throw misuse(
    `an ioredis client whose ${name} is ${describeGiven(value)} cannot be a node: pass the address instead`,
  );
}

function numberOf(options: unknown, name: string): number | undefined {
  const value = propertyOf(options, name);
  if (value === undefined || value === null) return undefined;
  const asNumber = Number(value);
  return Number.isInteger(asNumber) ? asNumber : undefined;
}

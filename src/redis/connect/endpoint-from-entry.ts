/** Turns one entry of the membership, however it was written, into an endpoint. Pure. */
import { misuse } from "../../misuse.ts";
import { isIoredisClient, propertyOf } from "./client-kinds.ts";
import { describeGiven } from "./describe-given.ts";
import type { Access, Endpoint, HostAndPort, NatMap } from "./endpoint.ts";
import { endpointFromClient } from "./endpoint-from-client.ts";
import { readAddress } from "./endpoint-from-url.ts";
import type { NodeOptions } from "./node-address.ts";

const CONNECT_TIMEOUT_DEFAULT_MS = 2000;
const REDIS_PORT = 6379;
const SENTINEL_PORT = 26_379;
/** As many as nodes have letters: servers to ask where the master is. */
const SERVERS_MAX = 26;
const CLUSTER_KEY_PREFIX = "{redlock}:";
const HASH_TAG = /^[^{]*\{[^}]+\}/;

type Found = Pick<Endpoint, "place" | "access" | "db" | "family"> & {
  readonly keyPrefix?: string | undefined;
};

/**
 * @param what how the entry is called in a message.
 * @throws RedlockError `misuse` for what names no node, in one sentence that says what was given.
 */
export function endpointFromEntry(entry: unknown, options: NodeOptions, what = "a node"): Endpoint {
  const found = findPlace(entry, options);
  if (found === undefined) {
    throw misuse(
      `${what} is an address such as "redis://host:port", {sentinels, name}, {cluster} or an ioredis client, not ${describeGiven(entry)}`,
    );
  }
  const { place, access, db, family } = found;
  const keyPrefix =
    options.keyPrefix ?? found.keyPrefix ?? (place.kind === "cluster" ? CLUSTER_KEY_PREFIX : "");
  if (place.kind === "cluster" && !HASH_TAG.test(keyPrefix)) {
    throw misuse(
      `the keyPrefix "${keyPrefix}" has no hash tag: on a Redis Cluster all keys must share a slot, as with "{${keyPrefix.replace(/[{}:]/g, "") || "redlock"}}:"`,
    );
  }
  const connectTimeoutMs = options.connectTimeoutMs ?? CONNECT_TIMEOUT_DEFAULT_MS;
  return { place, access, db, family, keyPrefix, connectTimeoutMs };
}

function findPlace(entry: unknown, options: NodeOptions): Found | undefined {
  if (typeof entry === "string" && entry !== "") return fromText(entry, options);
  if (isIoredisClient(entry)) return endpointFromClient(entry);
  const sentinels = propertyOf(entry, "sentinels");
  if (sentinels !== undefined) return fromSentinels(entry, sentinels, options);
  const cluster = propertyOf(entry, "cluster");
  return cluster === undefined ? undefined : fromCluster(entry, cluster, options);
}

function fromText(text: string, options: NodeOptions): Found {
  const address = readAddress(text);
  const { username, password, tls } = options;
  if (address.kind === "socket") {
    const access = { username, password, tls: undefined };
    return { place: { kind: "socket", path: address.path }, access, db: 0, family: 0 };
  }
  const { at, isTls, db, family } = address;
  const login = address.login ?? { username, password };
  if (tls !== undefined && !isTls) {
    throw misuse(
      `tls is given, but redis://${at.host}:${String(at.port)} asks for a plain connection: write rediss://`,
    );
  }
  const access = { username: login.username, password: login.password, tls: isTls ? (tls ?? {}) : undefined };
  return { place: { kind: "server", ...at }, access, db, family };
}

function fromSentinels(entry: unknown, sentinels: unknown, options: NodeOptions): Found {
  const masterName = propertyOf(entry, "name");
  if (typeof masterName !== "string" || masterName === "") {
    throw misuse(
      `{sentinels} needs the name of its master, as in {sentinels: […], name: "mymaster"}, not ${describeGiven(masterName)}`,
    );
  }
  const asked = serversOf("sentinels", sentinels, SENTINEL_PORT);
  const { username, password, tls } = options;
  return {
    place: {
      kind: "sentinel",
      sentinels: asked.servers,
      masterName,
      access: {
        username: undefined,
        password: undefined,
        ...asked.login,
        tls: asked.isTls ? (tls ?? {}) : undefined,
      },
      natMap: natMapOf(entry),
    },
    access: { username, password, tls: asked.isTls ? (tls ?? {}) : tls },
    db: 0,
    family: asked.family,
  };
}

function fromCluster(entry: unknown, cluster: unknown, options: NodeOptions): Found {
  const { servers, isTls, login, family } = serversOf("cluster", cluster, REDIS_PORT);
  const { username, password, tls } = options;
  const access: Access = {
    ...(login ?? { username, password }),
    tls: isTls ? (tls ?? {}) : tls,
  };
  return { place: { kind: "cluster", seeds: servers, natMap: natMapOf(entry) }, access, db: 0, family };
}

/** Some servers of which any may be asked: the login, and whether it is TLS, is that of the first. */
function serversOf(
  name: "sentinels" | "cluster",
  list: unknown,
  portDefault: number,
): Pick<Found, "family"> & {
  readonly servers: readonly HostAndPort[];
  readonly isTls: boolean;
  readonly login: Pick<Access, "username" | "password"> | undefined;
} {
  if (!Array.isArray(list) || list.length === 0 || list.length > SERVERS_MAX) {
    throw misuse(`{${name}} is a list of 1 to ${String(SERVERS_MAX)} addresses, not ${describeGiven(list)}`);
  }
  const addresses = list.map((item: unknown) => serverOf(name, item, portDefault));
  const first = addresses.find(({ login }) => login !== undefined);
  return {
    servers: addresses.map(({ at }) => at),
    isTls: addresses.some(({ isTls }) => isTls),
    login: first?.login,
    family: addresses[0]?.family ?? 0,
  };
}

function serverOf(name: string, item: unknown, portDefault: number) {
  if (typeof item === "string") {
    const address = readAddress(item, portDefault);
    if (address.kind === "server") return address;
  }
  const host = propertyOf(item, "host");
  const port = propertyOf(item, "port") ?? portDefault;
  if (typeof host === "string" && host !== "" && typeof port === "number") {
    return { at: { host, port }, isTls: false, login: undefined, family: 0 };
  }
  throw misuse(
    `{${name}} lists addresses such as "redis://host:port" or {host, port}, not ${describeGiven(item)}`,
  );
}

function natMapOf(entry: unknown): NatMap {
  const natMap = propertyOf(entry, "natMap");
  if (natMap === undefined) return {};
  if (typeof natMap !== "object" || natMap === null) {
    throw misuse(`natMap is an object such as {"10.0.0.1:6379": {host, port}}, not ${describeGiven(natMap)}`);
  }
  return Object.fromEntries(
    Object.entries(natMap).map(([announced, dialled]: [string, unknown]) => [
      announced,
      serverOf("natMap", dialled, REDIS_PORT).at,
    ]),
  );
}

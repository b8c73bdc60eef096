import { Redis } from "ioredis";
import { type ClientOptions, CONNECTION_OPTIONS } from "../connection-options.ts";
import type { Endpoint } from "./endpoint.ts";
import { locateByCluster, locateBySentinel } from "./locate-master.ts";
import { locatingConnector } from "./locating-connector.ts";

/** Answers of a server that is not, or no longer, the one to talk to; another one has to be looked up. */
const WRONG_SERVER = /^(READONLY|MOVED) /;
/**
 * A server that owes an answer for so many connect timeouts may have lost its machine, and its successor is known by
 * then. TCP alone notices that after a quarter of an hour. A fixed address has no successor, so there the connection
 * is kept, and with it the order of what was sent.
 */
const SILENT_CONNECTS = 5;

/**
 * Makes a client under the safe options that connects to the endpoint, and again whenever the connection ends.
 *
 * @param special options of somebody who is no lock node.
 */
export function openClient(endpoint: Endpoint, special: ClientOptions = {}): Redis {
  return new Redis({
    ...CONNECTION_OPTIONS,
    ...accessOptions(endpoint),
    ...placeOptions(endpoint),
    ...special,
  });
}

function accessOptions({ access, db, family, keyPrefix, connectTimeoutMs }: Endpoint): ClientOptions {
  const { username, password, tls } = access;
  return {
    connectTimeout: connectTimeoutMs,
    ...(username === undefined ? {} : { username }),
    ...(password === undefined ? {} : { password }),
    ...(tls === undefined ? {} : { tls }),
    ...(db === 0 ? {} : { db }),
    ...(family === 0 ? {} : { family }),
    ...(keyPrefix === "" ? {} : { keyPrefix }),
  };
}

function placeOptions(endpoint: Endpoint): ClientOptions {
  const { place, access, family, keyPrefix, connectTimeoutMs } = endpoint;
  switch (place.kind) {
    case "server":
      return { host: place.host, port: place.port };
    case "socket":
      return { path: place.path };
    case "sentinel": {
      const asked = { servers: place.sentinels, access: place.access, family, connectTimeoutMs };
      return movingMaster(endpoint, locateBySentinel(asked, place));
    }
    case "cluster": {
      const asked = { servers: place.seeds, access, family, connectTimeoutMs };
      return movingMaster(endpoint, locateByCluster(asked, { keyPrefix, natMap: place.natMap }));
    }
  }
}

function movingMaster(
  { access, family, connectTimeoutMs }: Endpoint,
  locate: Parameters<typeof locatingConnector>[0]["locate"],
): ClientOptions {
  return {
    socketTimeout: SILENT_CONNECTS * connectTimeoutMs,
    Connector: locatingConnector({ locate, tls: access.tls, family }),
    // 1: connect anew, and do not send the refused command again.
    reconnectOnError: (error) => (WRONG_SERVER.test(error.message) ? 1 : false),
  };
}

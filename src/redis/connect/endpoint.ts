/** Where one node of the membership is found and how it is talked to: data, whatever it was given as. */
import type { ConnectionOptions as TlsOptions } from "node:tls";

/** A TCP address. */
export interface HostAndPort {
  readonly host: string;
  readonly port: number;
}

/** Announced addresses, as `host:port`, and what to dial in their place: servers behind a translation. */
export type NatMap = Readonly<Record<string, HostAndPort>>;

/** As whom, and how secretly, a server is talked to. */
export interface Access {
  readonly username: string | undefined;
  readonly password: string | undefined;
  /** Present: TLS, with these settings. */
  readonly tls: TlsOptions | undefined;
}

/** Where a node is found. */
export type Place =
  | ({ readonly kind: "server" } & HostAndPort)
  | { readonly kind: "socket"; readonly path: string }
  /** The master that Sentinels name at the moment of connecting. */
  | {
      readonly kind: "sentinel";
      readonly sentinels: readonly HostAndPort[];
      readonly masterName: string;
      readonly access: Access;
      readonly natMap: NatMap;
    }
  /** The master of one hash slot of a Redis Cluster, the slot of the key prefix. */
  | { readonly kind: "cluster"; readonly seeds: readonly HostAndPort[]; readonly natMap: NatMap };

/** All that decides the connections of one node. */
export interface Endpoint {
  readonly place: Place;
  readonly access: Access;
  readonly db: number;
  /** 4 or 6: which addresses of a host name are tried; 0: both. */
  readonly family: number;
  readonly keyPrefix: string;
  readonly connectTimeoutMs: number;
}

/** Two nodes of which this is the same are one server: another database of it is no other node. */
export function identityOf(place: Place): string {
  switch (place.kind) {
    case "server":
      return hostAndPortText(place);
    case "socket":
      return place.path;
    case "sentinel":
      return `master ${place.masterName} of the sentinels ${addressesText(place.sentinels)}`;
    case "cluster":
      return `cluster ${addressesText(place.seeds)}`;
  }
}

/** `host:port`; a host of IPv6 in brackets. */
export function hostAndPortText({ host, port }: HostAndPort): string {
  return `${host.includes(":") ? `[${host}]` : host.toLowerCase()}:${String(port)}`;
}

function addressesText(addresses: readonly HostAndPort[]): string {
  return addresses.map(hostAndPortText).sort().join(",");
}

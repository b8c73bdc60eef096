/** Reads the answer to CLUSTER SLOTS: a list of [first slot, last slot, master, replica, …]. Pure. */
import { propertyOf } from "./client-kinds.ts";
import type { HostAndPort } from "./endpoint.ts";

/** @param asked who answered: a server that does not know its own address leaves it out. */
export function masterOfSlot(slots: unknown, slot: number, asked: HostAndPort): HostAndPort | undefined {
  const range = rangesOf(slots).find(([first, last]) => Number(first) <= slot && slot <= Number(last));
  return range === undefined ? undefined : serverOf(range[2], asked);
}

/** All servers that the answer names, replicas too: any of them can be asked the next time. */
export function serversOfSlots(slots: unknown, asked: HostAndPort): readonly HostAndPort[] {
  return rangesOf(slots).flatMap(([, , ...servers]) =>
    servers.map((server) => serverOf(server, asked)).filter((server) => server !== undefined),
  );
}

function rangesOf(slots: unknown): readonly (readonly unknown[])[] {
  return Array.isArray(slots) ? slots.filter((range) => Array.isArray(range)) : [];
}

function serverOf(described: unknown, asked: HostAndPort): HostAndPort | undefined {
  const host = propertyOf(described, "0");
  const port = propertyOf(described, "1");
  if (typeof port !== "number" || port === 0) return undefined;
  // "?": a server whose host name is not known yet.
  const isKnown = typeof host === "string" && host !== "" && host !== "?";
  return { host: isKnown ? host : asked.host, port };
}

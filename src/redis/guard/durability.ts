/**
 * Whether what a server has answered for outlives its process (design rule 8): only with an append-only file that is
 * synced before each reply, also while it is rewritten, and only where no other server can take its place.
 */
import type { Redis } from "ioredis";
import { failureText } from "../failure-text.ts";

/** What a server of a durable node must be set to. */
const DEMANDS: Readonly<Record<string, string>> = {
  appendonly: "yes",
  appendfsync: "always",
  "no-appendfsync-on-rewrite": "no",
};

/**
 * Asks a server whether it is durable, as it runs now. Never rejects.
 *
 * @returns why it is not, or cannot be told to be; `undefined` for a durable one.
 */
export async function whyNotDurable(client: Redis): Promise<string | undefined> {
  try {
    const [config, info] = await Promise.all([client.call("CONFIG", "GET", "*append*"), client.call("INFO")]);
    return whyNotFrom(Array.isArray(config) ? config.map(String) : [], String(info));
  } catch (failure) {
    return failure instanceof Error ? failureText(failure.message) : String(failure);
  }
}

/** Reads the answers to `CONFIG GET *append*`, a list of names and values, and to `INFO`. */
export function whyNotFrom(config: readonly string[], info: string): string | undefined {
  for (const [name, demanded] of Object.entries(DEMANDS)) {
    const value = config[config.indexOf(name) + 1];
    if (!config.includes(name) || value !== demanded)
      return `${name} is ${value ?? "not told"}, not ${demanded}`;
  }
  if (fieldOf(info, "redis_mode") !== "standalone") return "it is no server of its own";
  if (fieldOf(info, "role") !== "master") return "it is no master";
  if (fieldOf(info, "connected_slaves") !== "0") return "it has replicas, one of which may take its place";
  return undefined;
}

function fieldOf(info: string, name: string): string | undefined {
  return info
    .split(/\r?\n/)
    .find((line) => line.startsWith(`${name}:`))
    ?.slice(name.length + 1);
}

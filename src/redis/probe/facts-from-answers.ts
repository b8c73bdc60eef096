/** Reads what a server answers to the questions of the start-up probe. Pure. */
import type { NodeFacts } from "../../ports/node-facts.ts";

/** An answer is `undefined` where the server gave an error. */
export interface Answers {
  readonly info: unknown;
  readonly role: unknown;
  /** Names and values of the settings of persistence, one after the other. */
  readonly config: unknown;
}

type ToldByAnswers = Pick<
  NodeFacts,
  "runId" | "mode" | "role" | "version" | "evictionPolicy" | "persistence"
>;

const PERSISTENCE_SETTINGS = ["appendonly", "appendfsync", "no-appendfsync-on-rewrite", "save"];

/** What the answers tell, and no more. */
export function factsFromAnswers({ info, role, config }: Answers): ToldByAnswers {
  const fields = fieldsOf(info);
  return {
    runId: fields.get("run_id"),
    mode: modeOf(fields.get("redis_mode")),
    role: roleOf(fields.get("role") ?? firstOf(role)),
    version: versionOf(fields),
    evictionPolicy: fields.get("maxmemory_policy"),
    persistence: persistenceOf(config),
  };
}

/** `name:value` lines, as INFO gives them. */
function fieldsOf(info: unknown): ReadonlyMap<string, string> {
  const fields = new Map<string, string>();
  if (typeof info !== "string") return fields;
  for (const line of info.split("\r\n")) {
    const colon = line.indexOf(":");
    if (colon > 0) fields.set(line.slice(0, colon), line.slice(colon + 1));
  }
  return fields;
}

function modeOf(mode: string | undefined): NodeFacts["mode"] {
  return mode === "standalone" || mode === "cluster" || mode === "sentinel" ? mode : undefined;
}

function roleOf(role: unknown): NodeFacts["role"] {
  if (role === "master") return "master";
  return role === "slave" ? "replica" : undefined;
}

/** Valkey also names the version of Redis that it is like. */
function versionOf(fields: ReadonlyMap<string, string>): string | undefined {
  const valkey = fields.get("valkey_version");
  const redis = fields.get("redis_version");
  if (valkey !== undefined) return `valkey ${valkey}`;
  return redis === undefined ? undefined : `redis ${redis}`;
}

/** Settings of an append-only file that is not kept make no difference. */
function persistenceOf(config: unknown): string | undefined {
  if (!Array.isArray(config)) return undefined;
  const settings = new Map<unknown, unknown>();
  for (let index = 0; index + 1 < config.length; index += 2) settings.set(config[index], config[index + 1]);
  const names = PERSISTENCE_SETTINGS.filter(
    (name) => settings.has(name) && (settings.get("appendonly") === "yes" || !name.includes("appendfsync")),
  );
  if (names.length === 0) return undefined;
  return names
    .map((name) => `${name} ${String(settings.get(name) === "" ? "never" : settings.get(name))}`)
    .join(", ");
}

function firstOf(answer: unknown): unknown {
  return Array.isArray(answer) ? answer[0] : undefined;
}

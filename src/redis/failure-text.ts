/**
 * What a server's error, or a connection's, means for a lock: the server's own code, and a clause that says what
 * to do. Pure. An error that is not known here keeps its own words.
 */

/** By the code with which the server's error begins. */
const MEANINGS: Readonly<Record<string, string>> = {
  READONLY: "it is a replica; a node must be a master",
  LOADING: "it is still loading its data, and is down until it has",
  MISCONF: "it takes no writes because it cannot save its data to disk",
  OOM: "its memory limit (maxmemory) is reached",
  NOAUTH: "it wants a password",
  WRONGPASS: "it knows no such user with this password",
  DENIED: "it runs in protected mode: give it a password, or bind it to this network",
  WRONGTYPE: "the key holds no string: something else than locks uses it",
  MOVED:
    "it belongs to a Redis Cluster, where another server has this key; name the cluster as {cluster: […]}",
  ASK: "it belongs to a Redis Cluster that is moving this key to another server",
  TRYAGAIN: "it belongs to a Redis Cluster that is moving these keys to another server",
  CROSSSLOT: "it belongs to a Redis Cluster, where these keys lie on different servers",
  CLUSTERDOWN: "its Redis Cluster serves no keys at present",
  MASTERDOWN: "it is a replica that has lost its master; a node must be a master",
  NOREPLICAS: "it takes no writes while it has too few replicas (min-replicas-to-write)",
  BUSY: "a script keeps it busy",
};

const CODE = /^([A-Z]+) /;
const MISSING_COMMAND = /^ERR unknown (?:command|subcommand) ['`"]?([^'`",]+)/i;
/** Scripts run with their user's rights, and add where it happened. */
const DENIED_IN_SCRIPT = /^ERR The user executing the script (can't .*?)(?: script: .*)?$/i;
const SCRIPT_POSITION = / script: [0-9a-f]{40}, on @user_script:\d+\.?$/;

/** @param message the error's own words. */
export function failureText(message: string): string {
  const code = CODE.exec(message)?.[1] ?? "";
  const meaning = Object.hasOwn(MEANINGS, code) ? MEANINGS[code] : undefined;
  if (meaning !== undefined) return `${code}: ${meaning}`;
  if (code === "NOPERM") return `NOPERM: ${withoutPosition(message.slice("NOPERM ".length))}`;
  const denied = DENIED_IN_SCRIPT.exec(message)?.[1];
  if (denied !== undefined) return `NOPERM: this user's scripts ${denied}`;
  const missing = MISSING_COMMAND.exec(message)?.[1];
  if (missing !== undefined)
    return `it has no command ${missing}: too old, renamed, or no Redis master (a Sentinel?)`;
  return message;
}

function withoutPosition(message: string): string {
  return message.replace(SCRIPT_POSITION, "");
}

/** What a Redis command does to the keys it names, if it does anything. Pure: reads arguments only. */

/** An expiry as the command gives it. `keep`: what the key had. */
export type Expiry =
  | { readonly kind: "none" }
  | { readonly kind: "keep" }
  | { readonly kind: "in"; readonly ms: number }
  | { readonly kind: "at"; readonly unixMs: number };

export type CommandEffect =
  | { readonly kind: "set"; readonly key: string; readonly value: string; readonly expiry: Expiry }
  | { readonly kind: "expire"; readonly key: string; readonly expiry: Expiry }
  /** `comparedTo`: the value that the command itself compared. */
  | { readonly kind: "delete"; readonly keys: readonly string[]; readonly comparedTo?: string }
  | { readonly kind: "flush"; readonly allDatabases: boolean }
  /** What follows from scripts belongs to it. `firstArgument`: ARGV[1]. */
  | { readonly kind: "script"; readonly firstArgument?: string };

type Reader = (args: readonly string[]) => CommandEffect;

const KEYS_AT = 3;

const READERS: Readonly<Record<string, Reader>> = {
  SET: ([key = "", value = "", ...options]) => ({ kind: "set", key, value, expiry: setExpiry(options) }),
  SETNX: ([key = "", value = ""]) => ({ kind: "set", key, value, expiry: { kind: "none" } }),
  PSETEX: ([key = "", ms = "", value = ""]) => ({ kind: "set", key, value, expiry: inMs(ms) }),
  SETEX: ([key = "", seconds = "", value = ""]) => ({ kind: "set", key, value, expiry: inSeconds(seconds) }),
  PEXPIRE: ([key = "", ms = ""]) => ({ kind: "expire", key, expiry: inMs(ms) }),
  EXPIRE: ([key = "", seconds = ""]) => ({ kind: "expire", key, expiry: inSeconds(seconds) }),
  PEXPIREAT: ([key = "", unixMs = ""]) => ({ kind: "expire", key, expiry: atMs(unixMs) }),
  EXPIREAT: ([key = "", unixSeconds = ""]) => ({ kind: "expire", key, expiry: atSeconds(unixSeconds) }),
  DEL: (keys) => ({ kind: "delete", keys }),
  UNLINK: (keys) => ({ kind: "delete", keys }),
  GETDEL: ([key = ""]) => ({ kind: "delete", keys: [key] }),
  /** Valkey. */
  DELIFEQ: ([key = "", value = ""]) => ({ kind: "delete", keys: [key], comparedTo: value }),
  /** Redis 8.4 and later. */
  DELEX: ([key = "", condition = "", value = ""]) =>
    condition.toUpperCase() === "IFEQ"
      ? { kind: "delete", keys: [key], comparedTo: value }
      : { kind: "delete", keys: [key] },
  FLUSHALL: () => ({ kind: "flush", allDatabases: true }),
  FLUSHDB: () => ({ kind: "flush", allDatabases: false }),
  EVAL: script,
  EVALSHA: script,
  FCALL: script,
};

/** @returns `undefined` for a command that changes no string key. */
export function commandEffect([name = "", ...args]: readonly string[]): CommandEffect | undefined {
  const upperCase = name.toUpperCase();
  return Object.hasOwn(READERS, upperCase) ? READERS[upperCase]?.(args) : undefined;
}

function script(args: readonly string[]): CommandEffect {
  const firstArgument = args[KEYS_AT - 1 + Number(args[1])];
  return firstArgument === undefined ? { kind: "script" } : { kind: "script", firstArgument };
}

function setExpiry(options: readonly string[]): Expiry {
  for (const [index, option] of options.entries()) {
    const operand = options[index + 1] ?? "";
    switch (option.toUpperCase()) {
      case "PX":
        return inMs(operand);
      case "EX":
        return inSeconds(operand);
      case "PXAT":
        return atMs(operand);
      case "EXAT":
        return atSeconds(operand);
      case "KEEPTTL":
        return { kind: "keep" };
      default:
    }
  }
  return { kind: "none" };
}

const inMs = (text: string): Expiry => ({ kind: "in", ms: Number(text) });
const inSeconds = (text: string): Expiry => ({ kind: "in", ms: Number(text) * 1_000 });
const atMs = (text: string): Expiry => ({ kind: "at", unixMs: Number(text) });
const atSeconds = (text: string): Expiry => ({ kind: "at", unixMs: Number(text) * 1_000 });

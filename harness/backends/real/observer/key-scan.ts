/** Asks a node for all its keys and the time of its clock, in one script: nothing happens in between. */
import { askRedis } from "../resp/ask-redis.ts";
import { type RespValue, respText } from "../resp/resp-reader.ts";
import type { FoundKey } from "./key-ledger.ts";

export interface KeyScan {
  /** The node's wall clock since the Unix epoch. */
  readonly shownNs: bigint;
  readonly keys: readonly FoundKey[];
}

const SCRIPT = `
local time = redis.call('TIME')
local found = {time[1], time[2]}
for _, key in ipairs(redis.call('KEYS', '*')) do
  local value = redis.pcall('GET', key)
  if type(value) == 'string' then
    found[#found + 1] = key
    found[#found + 1] = value
    found[#found + 1] = redis.call('PTTL', key)
  end
end
return found`.trim();

export const SCAN_COMMAND: readonly string[] = ["EVAL", SCRIPT, "0"];

const ITEMS_PER_KEY = 3;
const TIME_ITEMS = 2;

/** @throws Error when the node does not answer in time. */
export async function scanKeys(port: number, { limitMs }: { readonly limitMs: number }): Promise<KeyScan> {
  const scan = keyScanFrom(await askRedis(port, SCAN_COMMAND, { limitMs }));
  if (scan === undefined) throw new Error(`port ${port} did not list its keys`);
  return scan;
}

/** @returns `undefined` for another answer: the node is still loading. */
export function keyScanFrom(reply: RespValue): KeyScan | undefined {
  if (reply.kind !== "list") return undefined;
  const seconds = respText(reply.items[0]);
  const micros = respText(reply.items[1]);
  if (seconds === undefined || micros === undefined) return undefined;
  const keys: FoundKey[] = [];
  for (let at = TIME_ITEMS; at + ITEMS_PER_KEY <= reply.items.length; at += ITEMS_PER_KEY) {
    const resource = respText(reply.items[at]);
    const value = respText(reply.items[at + 1]);
    const left = reply.items[at + 2];
    if (resource === undefined || value === undefined || left?.kind !== "number") return undefined;
    keys.push({ resource, value, expiresInMs: left.value < 0 ? null : left.value });
  }
  return { shownNs: BigInt(seconds) * 1_000_000_000n + BigInt(micros) * 1_000n, keys };
}

/**
 * A short name for what happened in a run: two runs of one seed must have the same. FNV-1a with 64 bits; no
 * cryptography, because nobody attacks it.
 */
import type { History } from "./history.ts";

const OFFSET_HIGH = 0xcbf29ce4;
const OFFSET_LOW = 0x84222325;
/** The prime is 2^40 + this. */
const PRIME_LOW = 0x1b3;
const TWO_32 = 2 ** 32;

/**
 * Sixteen hex digits over header and events in their order. The order of an object's fields does not matter,
 * nor does the time of day at which the run started.
 */
export function historyDigest({ header, events }: History): string {
  const lines = [{ ...header, startedAt: "" }, ...events].map(canonicalText);
  return fnv1a64(`${lines.join("\n")}\n`);
}

/** Names a piece of plain data; the order of an object's fields does not matter. */
export function digestOf(value: unknown): string {
  return fnv1a64(canonicalText(value));
}

/** FNV-1a of the text's UTF-8 bytes. */
export function fnv1a64(text: string): string {
  let high = OFFSET_HIGH;
  let low = OFFSET_LOW;
  for (const byte of new TextEncoder().encode(text)) {
    low = (low ^ byte) >>> 0;
    const product = low * PRIME_LOW;
    high = (Math.imul(high, PRIME_LOW) + Math.floor(product / TWO_32) + (low << 8)) >>> 0;
    low = product >>> 0;
  }
  return [high, low].map((lane) => lane.toString(16).padStart(8, "0")).join("");
}

/** JSON with sorted fields. */
function canonicalText(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalText).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const fields = Object.entries(value)
    .filter(([, field]) => field !== undefined)
    .sort(([left], [right]) => (left < right ? -1 : 1))
    .map(([name, field]) => `${JSON.stringify(name)}:${canonicalText(field)}`);
  return `{${fields.join(",")}}`;
}

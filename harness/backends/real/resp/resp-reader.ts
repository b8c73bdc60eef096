/**
 * Reads Redis replies (RESP3, and RESP2 with it) from chunks of bytes. Pure but for the bytes it keeps.
 * The observer needs replies, pushes and MONITOR's lines in the one order in which the server wrote them,
 * which is what client libraries hide.
 */

export type RespValue =
  /** Status, string, double, big number: their text. */
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "number"; readonly value: number }
  | { readonly kind: "null" }
  | { readonly kind: "error"; readonly message: string }
  /** A map is the list of its keys and values in turn. */
  | { readonly kind: "list"; readonly items: readonly RespValue[] }
  | { readonly kind: "push"; readonly items: readonly RespValue[] };

interface Parsed {
  readonly value: RespValue;
  readonly next: number;
}

const DEPTH_MAX = 8;
const NULL: RespValue = { kind: "null" };

export class RespReader {
  #rest: Buffer = Buffer.alloc(0);

  /** @returns the values that are complete with this chunk. @throws Error on bytes that are no RESP. */
  read(chunk: Buffer): readonly RespValue[] {
    const bytes = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk]);
    const values: RespValue[] = [];
    let at = 0;
    while (at < bytes.length) {
      const parsed = parseValue(bytes, at, 0);
      if (parsed === undefined) break;
      values.push(parsed.value);
      at = parsed.next;
    }
    this.#rest = bytes.subarray(at);
    return values;
  }
}

/** A command as clients send it: a list of strings. */
export function respCommand(args: readonly string[]): string {
  const parts = args.map((arg) => `$${String(Buffer.byteLength(arg))}\r\n${arg}\r\n`);
  return `*${String(args.length)}\r\n${parts.join("")}`;
}

/** The text of a value; `undefined` for one that is no text. */
export function respText(value: RespValue | undefined): string | undefined {
  return value?.kind === "text" ? value.text : undefined;
}

/** `undefined`: the value is not complete yet. */
function parseValue(bytes: Buffer, at: number, depth: number): Parsed | undefined {
  if (depth > DEPTH_MAX) throw new Error("a reply is nested too deeply");
  const end = bytes.indexOf("\r\n", at);
  if (end === -1) return undefined;
  const type = String.fromCharCode(bytes[at] ?? 0);
  const line = bytes.toString("utf8", at + 1, end);
  const next = end + 2;
  switch (type) {
    case "+":
    case ",":
    case "(":
      return { value: { kind: "text", text: line }, next };
    case "-":
      return { value: { kind: "error", message: line }, next };
    case ":":
      return { value: { kind: "number", value: Number(line) }, next };
    case "#":
      return { value: { kind: "number", value: line === "t" ? 1 : 0 }, next };
    case "_":
      return { value: NULL, next };
    case "$":
    case "=":
    case "!":
      return parseBulk(bytes, next, { type, length: Number(line) });
    case "*":
    case "~":
    case ">":
    case "%":
      return parseItems(bytes, next, { type, count: Number(line), depth });
    default:
      throw new Error(`a reply begins with ${JSON.stringify(type)}`);
  }
}

function parseBulk(
  bytes: Buffer,
  at: number,
  { type, length }: { readonly type: string; readonly length: number },
): Parsed | undefined {
  if (length < 0) return { value: NULL, next: at };
  if (bytes.length < at + length + 2) return undefined;
  // A verbatim string says its format in four characters first.
  const text = bytes.toString("utf8", type === "=" ? at + 4 : at, at + length);
  const value: RespValue = type === "!" ? { kind: "error", message: text } : { kind: "text", text };
  return { value, next: at + length + 2 };
}

function parseItems(
  bytes: Buffer,
  at: number,
  { type, count, depth }: { readonly type: string; readonly count: number; readonly depth: number },
): Parsed | undefined {
  if (count < 0) return { value: NULL, next: at };
  const items: RespValue[] = [];
  let next = at;
  for (let left = type === "%" ? 2 * count : count; left > 0; left--) {
    const item = parseValue(bytes, next, depth + 1);
    if (item === undefined) return undefined;
    items.push(item.value);
    next = item.next;
  }
  return { value: { kind: type === ">" ? "push" : "list", items }, next };
}

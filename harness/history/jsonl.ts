/** A history as a file: JSON Lines, the header first and then one line for each event. */
import type { z } from "zod";
import type { HistoryEvent } from "./event.ts";
import { EVENT_KINDS, EVENT_SCHEMA, HEADER_SCHEMA } from "./event-schema.ts";
import type { History, HistoryHeader } from "./history.ts";
import { findMalformation } from "./malformation.ts";

interface Refusal {
  readonly kind: "refused";
  /** Counts from 1. */
  readonly line: number;
  readonly problem: string;
}

export type ParsedHistory = { readonly kind: "parsed"; readonly history: History } | Refusal;

type ParsedLine<Value> =
  | { readonly kind: "parsed"; readonly value: Value }
  | { readonly kind: "refused"; readonly problem: string };

/** The header is on the first line, so the event with index 0 is on the second. */
const FIRST_EVENT_LINE = 2;

export function formatHistory({ header, events }: History): string {
  return [header, ...events].map((line) => `${JSON.stringify(line)}\n`).join("");
}

/** Reads what `formatHistory` wrote. Refuses what is not a whole history and says which line is wrong, and why. */
export function parseHistory(fileText: string): ParsedHistory {
  const reader = new HistoryReader();
  const lines = fileText.split("\n");
  if (lines.at(-1) === "") lines.pop();
  // Whatever follows a refused line is refused in the same words.
  for (const line of lines) reader.take(line);
  return reader.end();
}

/** As `parseHistory`, line by line: a long file need never be one string. */
export class HistoryReader {
  readonly #events: HistoryEvent[] = [];
  #header: HistoryHeader | undefined;
  #line = 0;
  #refusal: Refusal | undefined;

  /** Returns false when no further line can make it a history. */
  take(line: string): boolean {
    if (this.#refusal !== undefined) return false;
    this.#line += 1;
    const parsed = this.#header === undefined ? this.#takeHeader(line) : this.#takeEvent(line);
    if (parsed.kind === "refused") this.#refusal = { ...parsed, line: this.#line };
    return parsed.kind === "parsed";
  }

  end(): ParsedHistory {
    if (this.#header === undefined) this.take("");
    if (this.#refusal !== undefined || this.#header === undefined) {
      return this.#refusal ?? { kind: "refused", line: 1, problem: "there is no header" };
    }
    const history = { header: this.#header, events: this.#events };
    const malformation = findMalformation(history);
    if (malformation === undefined) return { kind: "parsed", history };
    return { kind: "refused", line: malformation.index + FIRST_EVENT_LINE, problem: malformation.problem };
  }

  #takeHeader(line: string): ParsedLine<unknown> {
    const header = parseHeader(line);
    if (header.kind === "parsed") this.#header = header.value;
    return header;
  }

  #takeEvent(line: string): ParsedLine<unknown> {
    const event = parseEvent(line);
    if (event.kind === "parsed") this.#events.push(event.value);
    return event;
  }
}

function parseHeader(line: string): ParsedLine<HistoryHeader> {
  const json = parseJson(line);
  if (json.kind === "refused") return json;
  const checked = HEADER_SCHEMA.safeParse(json.value);
  if (checked.success) return { kind: "parsed", value: checked.data };
  return { kind: "refused", problem: `not a header: ${firstIssue(checked.error)}` };
}

function parseEvent(line: string): ParsedLine<HistoryEvent> {
  const json = parseJson(line);
  if (json.kind === "refused") return json;
  const kind = kindOf(json.value);
  if (kind === undefined) return { kind: "refused", problem: "an event has a kind" };
  if (!EVENT_KINDS.has(kind)) return { kind: "refused", problem: `unknown kind ${JSON.stringify(kind)}` };
  const checked = EVENT_SCHEMA.safeParse(json.value);
  if (checked.success) return { kind: "parsed", value: checked.data };
  return { kind: "refused", problem: `${kind}: ${firstIssue(checked.error)}` };
}

function parseJson(line: string): ParsedLine<unknown> {
  try {
    return { kind: "parsed", value: JSON.parse(line) };
  } catch (error) {
    return {
      kind: "refused",
      problem: `not JSON: ${error instanceof Error ? error.message : String(error)}`,
    };
  }
}

function kindOf(value: unknown): string | undefined {
  if (typeof value !== "object" || value === null || !("kind" in value)) return undefined;
  return typeof value.kind === "string" ? value.kind : undefined;
}

function firstIssue(error: z.ZodError): string {
  const [issue] = error.issues;
  if (issue === undefined) return error.message;
  return issue.path.length === 0 ? issue.message : `${issue.path.join(".")}: ${issue.message}`;
}

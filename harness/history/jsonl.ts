/** A history as a file: JSON Lines, the header first and then one line for each event. */
import type { z } from "zod";
import type { HistoryEvent } from "./event.ts";
import { EVENT_KINDS, EVENT_SCHEMA, HEADER_SCHEMA } from "./event-schema.ts";
import type { History, HistoryHeader } from "./history.ts";
import { findMalformation } from "./malformation.ts";

export type ParsedHistory =
  | { readonly kind: "parsed"; readonly history: History }
  /** `line` counts from 1. */
  | { readonly kind: "refused"; readonly line: number; readonly problem: string };

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
  const lines = fileText.split("\n");
  if (lines.at(-1) === "") lines.pop();
  const [headerLine = "", ...eventLines] = lines;
  const header = parseHeader(headerLine);
  if (header.kind === "refused") return { ...header, line: 1 };

  const events: HistoryEvent[] = [];
  for (const [index, line] of eventLines.entries()) {
    const event = parseEvent(line);
    if (event.kind === "refused") return { ...event, line: index + FIRST_EVENT_LINE };
    events.push(event.value);
  }
  const history = { header: header.value, events };
  const malformation = findMalformation(history);
  if (malformation === undefined) return { kind: "parsed", history };
  return { kind: "refused", line: malformation.index + FIRST_EVENT_LINE, problem: malformation.problem };
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

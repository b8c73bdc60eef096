/**
 * What stands in a node's guard key (design rule 8), as text: which process of the server it was written under, and
 * on what terms. Names instead of a hash of them, so that who reads it sees what differs
 * (docs/decisions/0009-amnesia-guard.md).
 */
import type { GuardTerms } from "../ports/command.ts";

/** Both keys belong to the coordinator: no resource may be called so. */
export const GUARD_KEY = "redlock:guard";
export const QUARANTINE_KEY = "redlock:quarantine";

/** Grows when records of before mean something else. */
const VERSION = "1";

/** What a node's keys outlive: `durable`, everything that it has answered for. */
export type Durability = "durable" | "volatile";

/** What a guard key says. */
export interface GuardRecord {
  readonly runId: string;
  readonly terms: GuardTerms;
  readonly durability: Durability;
}

const RECORD = /^(\S+) 1 (.*) (\d+) (durable|volatile)$/;

/** All nodes by their names, whatever the order in which they are listed; never by their addresses. */
export function membershipOf(nodeNames: readonly string[]): string {
  return JSON.stringify([...nodeNames].sort());
}

/** The part of a record that has to be the same for all clients. */
export function termsText({ membership, longestLifetimeMs }: GuardTerms): string {
  return `${VERSION} ${membership} ${String(longestLifetimeMs)}`;
}

/** A record as the key has it; `recordFromText` reads it. */
export function recordText({ runId, terms, durability }: GuardRecord): string {
  return `${runId} ${termsText(terms)} ${durability}`;
}

/** @returns `undefined` for a text that no coordinator of this version has written. */
export function recordFromText(text: string): GuardRecord | undefined {
  const [, runId, membership, longestLifetimeMs, durability] = RECORD.exec(text) ?? [];
  if (runId === undefined || membership === undefined || longestLifetimeMs === undefined) return undefined;
  return {
    runId,
    terms: { membership, longestLifetimeMs: Number(longestLifetimeMs) },
    durability: durability === "durable" ? "durable" : "volatile",
  };
}

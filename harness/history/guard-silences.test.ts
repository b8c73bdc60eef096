import { describe, expect, test } from "vitest";
import { GUARD_KEY, QUARANTINE_KEY, recordText } from "../../src/core/guard-record.ts";
import type { EventOf } from "./event.ts";
import { guardSilences } from "./guard-silences.ts";
import { type At, down, historyOf, settled, up } from "./history.fixture.ts";

const record = (runId: string, durability: "durable" | "volatile" = "volatile"): string =>
  recordText({ runId, terms: { membership: '["A"]', longestLifetimeMs: 1000 }, durability });

function set(
  atMs: number,
  resource: string,
  value: string,
  { expiresInMs = null, cause = "command" }: Partial<Pick<EventOf<"key-set">, "expiresInMs" | "cause">> = {},
): At {
  return [atMs, { kind: "key-set", node: "A", resource, value, expiresInMs, cause }];
}

const guarded = (atMs: number, runId: string): At => set(atMs, GUARD_KEY, record(runId));
const foundAgain = (atMs: number, value: string): At => set(atMs, GUARD_KEY, value, { cause: "recovered" });
const quarantined = (atMs: number): At => set(atMs, QUARANTINE_KEY, "r2", { expiresInMs: 1000 });

const silencesIn = (events: readonly At[], header = { longestLifetimeMs: 1000 }) =>
  guardSilences(historyOf([...events, ...settled(9_000)], header)).map(({ fromMs, toMs }) => [fromMs, toMs]);

describe("guardSilences", () => {
  test("a node that is guarded all the time never keeps silent", () => {
    expect(silencesIn([guarded(0, "r1")])).toEqual([]);
  });

  test("from a restart without a guard to the next question, and on while the quarantine lasts", () => {
    const events = [guarded(0, "r1"), down(100, "A"), up(150, "A"), quarantined(300), guarded(300, "r2")];
    expect(silencesIn(events)).toEqual([
      [300, 1300],
      [100, 300],
    ]);
  });

  test("a node that nobody asks any more keeps silent for good", () => {
    const value = record("r1");
    const emptied: At = [
      100,
      { kind: "key-deleted", node: "A", resource: GUARD_KEY, value, cause: "flushed" },
    ];
    expect(silencesIn([guarded(0, "r1"), emptied])).toEqual([[100, Infinity]]);
  });

  test("a guard that is found again was written by a process that has gone", () => {
    const events = [guarded(0, "r1"), down(100, "A"), up(150, "A"), foundAgain(150, record("r1"))];
    expect(silencesIn([...events, guarded(400, "r2")])).toEqual([[100, 400]]);
  });

  test("where everything that was answered for survives, it is as good as before", () => {
    const kept = record("r1", "durable");
    const events = [set(0, GUARD_KEY, kept), down(100, "A"), up(150, "A"), foundAgain(150, kept)];
    expect(silencesIn(events)).toEqual([[100, 150]]);
  });

  test("with the guard off there is none", () => {
    expect(guardSilences(historyOf([down(100, "A"), up(150, "A"), ...settled(9_000)]))).toEqual([]);
  });
});

import { describe, expect, test } from "vitest";
import { indexJson, runJson } from "./json.ts";
import { checkerResults, eventsOf, invalid, runResult } from "./run-result.fixture.ts";

const RUN = runResult({
  outcome: "violated",
  checkers: checkerResults({ hygiene: invalid("W1 deleted W2's key on A at 12 ms") }),
  events: eventsOf([1, { kind: "run-ended" }]),
});

describe("indexJson", () => {
  const index: unknown = JSON.parse(
    indexJson({
      version: 1,
      command: "redlock-lab run S16",
      startedAt: "2026-01-01T00:00:00.000Z",
      durationMs: 1300,
      exitCode: 1,
      interrupted: false,
      runs: [RUN],
      thresholds: [],
    }),
  );

  test("says which schema it follows and how the command ended", () => {
    expect(index).toMatchObject({
      schema: "redlock-lab/index/1",
      version: 1,
      exitCode: 1,
      interrupted: false,
    });
  });

  test("lists each run with its folder, verdicts, settings and replay, without the events", () => {
    expect(index).toMatchObject({
      runs: [
        {
          scenario: "S16",
          folder: "S16-plain-1",
          outcome: "violated",
          explanation: "W1 deleted W2's key on A at 12 ms",
          settings: { nodeCount: 5, quorum: 3 },
          coverage: { events: 1 },
          replay: "redlock-lab run S16 --variant plain --backend local --seed 7",
        },
      ],
    });
    expect(JSON.stringify(index)).not.toContain("run-ended");
  });
});

describe("runJson", () => {
  test("names the files beside it and carries the header of the history", () => {
    expect(JSON.parse(runJson(RUN, { labVersion: "1.2.3" }))).toMatchObject({
      schema: "redlock-lab/run/1",
      labVersion: "1.2.3",
      header: { quorum: 3 },
      files: { history: "history.jsonl", schedule: "schedule.json" },
    });
  });
});

import { describe, expect, test } from "vitest";
import { replayCommand } from "./replay-command.ts";

const run = { scenario: "S01", variant: "plain", backend: "local", seed: "42", overrides: {} };

describe("replayCommand", () => {
  test("names all that decided the run", () => {
    expect(replayCommand(run)).toBe("redlock-lab run S01 --variant plain --backend local --seed 42");
  });

  test("carries what the command line had changed", () => {
    const overrides = { nodeCount: 7, quorum: 5, ttlMs: 2000, nodeTimeoutMs: 40, driftFactor: 0.02 };

    expect(replayCommand({ ...run, overrides })).toBe(
      "redlock-lab run S01 --variant plain --backend local --seed 42 " +
        "--nodes 7 --quorum 5 --ttl-ms 2000 --node-timeout-ms 40 --drift-factor 0.02",
    );
  });

  test("names the strategy that was put on trial", () => {
    expect(replayCommand({ ...run, strategy: "mutant:no-undo" })).toBe(
      "redlock-lab run S01 --variant plain --backend local --seed 42 --strategy mutant:no-undo",
    );
  });

  test("quotes what a shell would take apart", () => {
    expect(replayCommand({ ...run, seed: "it's $HOME" })).toContain(`--seed 'it'\\''s $HOME'`);
    expect(replayCommand({ ...run, seed: "" })).toContain("--seed ''");
  });
});

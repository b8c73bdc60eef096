import { describe, expect, test } from "vitest";
import type { LabReport, RunResult } from "./run-result.ts";
import { checkerResults, invalid, runResult } from "./run-result.fixture.ts";
import { summaryMarkdown } from "./summary-markdown.ts";

const reportOf = (...runs: RunResult[]): LabReport => ({
  version: 1,
  command: "redlock-lab run",
  startedAt: "2026-01-01T00:00:00.000Z",
  durationMs: 4200,
  exitCode: 0,
  interrupted: false,
  runs,
  thresholds: [],
});

describe("summaryMarkdown", () => {
  test("the table comes first and every row has as many cells as the heading", () => {
    const text = summaryMarkdown(reportOf(runResult(), runResult({ scenario: "S01", checkers: [] })));
    const rows = text.split("\n").filter((line) => line.startsWith("|"));

    expect(new Set(rows.map((row) => row.split("|").length)).size).toBe(1);
    expect(rows).toHaveLength(4);
    expect(text.indexOf("|")).toBeLessThan(text.indexOf("<details"));
  });

  test("thresholds come before the table", () => {
    const threshold = { name: "max-p99-ms", limitMs: 30, worst: null, outcome: "unmeasured" } as const;
    const text = summaryMarkdown({ ...reportOf(runResult()), thresholds: [threshold] });

    expect(text.indexOf("- ❔ p99 of acquire")).toBeGreaterThan(0);
    expect(text.indexOf("- ❔ p99 of acquire")).toBeLessThan(text.indexOf("|"));
  });

  test("an unwanted violation stands out, is unfolded, and starts with what repeats it", () => {
    const checkers = checkerResults({ declared: invalid("W1 and W2 both believed") });
    const text = summaryMarkdown(reportOf(runResult({ outcome: "violated", checkers })));

    expect(text).toContain("| **VIOLATION** |");
    expect(text).toMatch(/<details open>\n<summary>.*\n\n {4}redlock-lab run S16 --variant plain/);
    expect(text).toContain("- declared: W1 and W2 both believed");
  });

  test("text from a run can neither break the table nor bring HTML in", () => {
    const text = summaryMarkdown(reportOf(runResult({ variant: "a|b", reason: "<script>\n| x" })));

    expect(text).toContain("a\\|b");
    expect(text).toContain("&lt;script> | x");
    expect(text).not.toContain("<script>");
  });

  test("an interrupted command says so", () => {
    expect(summaryMarkdown({ ...reportOf(runResult()), exitCode: 130, interrupted: true })).toContain(
      "(exit code 130, interrupted)",
    );
  });
});

import { describe, expect, test } from "vitest";
import { checkerResults, invalid, runResult } from "./run-result.fixture.ts";
import { tableRows, terminalTable } from "./table.ts";

const S01_PLAIN = runResult({
  scenario: "S01",
  checkers: checkerResults(
    { actual: invalid("both inside"), stale: invalid("an old write") },
    { actual: "invalid", stale: "invalid" },
  ),
});

/** The words of a line, without the padding. */
const wordsOf = (text: string, line: number) =>
  text
    .split("\n")
    [line]?.trim()
    .split(/ {2,}| (?=[✓✗‼∅?·])/);

describe("tableRows", () => {
  test("repetitions of a variant are one row that counts what matched", () => {
    const rows = tableRows([runResult(), S01_PLAIN, runResult({ repetition: 2, outcome: "not-reproduced" })]);

    expect(rows.map(({ scenario, matched, total, outcome }) => [scenario, matched, total, outcome])).toEqual([
      ["S16", 1, 2, "not-reproduced"],
      ["S01", 1, 1, "matched"],
    ]);
  });

  test("the gravest outcome of the repetitions is the row's", () => {
    const [row] = tableRows([
      runResult({ outcome: "late" }),
      runResult({ outcome: "violated" }),
      runResult(),
    ]);

    expect(row?.outcome).toBe("violated");
  });
});

describe("terminalTable", () => {
  test("an expected violation looks different from one that nobody expected", () => {
    const unwanted = runResult({
      outcome: "violated",
      checkers: checkerResults({ declared: invalid("two") }),
    });
    const text = terminalTable([S01_PLAIN, unwanted]);

    expect(wordsOf(text, 1)?.slice(-11)).toEqual([
      "✓",
      "✗",
      "✓",
      "✗",
      ...Array<string>(6).fill("✓"),
      "matched",
    ]);
    expect(wordsOf(text, 2)?.slice(-11)).toEqual(["‼", ...Array<string>(9).fill("✓"), "violated"]);
    expect(text).toContain("✗ violation, as expected");
    expect(text).toContain("‼ violation, NOT expected");
  });

  test("repetitions that differ show how many did", () => {
    const missing = runResult({ checkers: checkerResults({}, { declared: "invalid" }) });
    const found = runResult({
      checkers: checkerResults({ declared: invalid("two") }, { declared: "invalid" }),
    });

    expect(terminalTable([found, missing, found])).toContain("∅ 1/3");
  });

  test("the legend explains only what occurs", () => {
    const text = terminalTable([runResult()]);

    expect(text).toContain("✓ valid");
    expect(text).not.toContain("expected violation did not show");
  });

  test("a run that asked no checker has empty cells", () => {
    const skipped = runResult({ outcome: "skipped", checkers: [] });

    expect(wordsOf(terminalTable([skipped]), 1)?.slice(-2)).toEqual(["·", "skipped"]);
  });

  test("the ASCII table holds nothing but ASCII", () => {
    expect(terminalTable([S01_PLAIN, runResult({ checkers: [] })], { ascii: true })).toMatch(/^[\n -~]*$/);
  });
});

import { describe, expect, test } from "vitest";
import { type SearchReport, searchAnnotations, searchJunit, searchSummary } from "./search-report.ts";

const CLEAN: SearchReport = {
  name: "100 schedules of redlock, seed 1",
  command: "redlock-lab explore --schedules 100",
  text: "100 schedules.\n\nNo schedule showed what must not be.",
  startedAt: "2026-01-01T00:00:00.000Z",
  durationMs: 1500,
  exitCode: 0,
  found: null,
};
const FOUND: SearchReport = {
  ...CLEAN,
  exitCode: 1,
  found: {
    checker: "declared",
    story: ["C forgot the key at 100 because its clock jumped", "W2 took C, D, E at 115"],
    replay: "redlock-lab replay out/found-1 --backend simulated",
  },
};

describe("a search that found nothing", () => {
  test("is a case that passed, and no annotation", () => {
    expect(searchJunit(CLEAN)).toContain('tests="1" failures="0" errors="0"');
    expect(searchAnnotations(CLEAN)).toEqual([]);
    expect(searchSummary(CLEAN)).toContain("    No schedule showed what must not be.\n");
  });
});

describe("a search that found something", () => {
  test("is a failure of the checker's name, with the story and what repeats it", () => {
    const xml = searchJunit(FOUND);
    expect(xml).toContain(
      '<failure message="C forgot the key at 100 because its clock jumped" type="declared">',
    );
    expect(xml).toContain("W2 took C, D, E at 115\nredlock-lab replay out/found-1 --backend simulated");
  });

  test("is one error", () => {
    expect(searchAnnotations(FOUND)).toEqual([
      "::error title=redlock-lab%3A declared broken by a schedule::C forgot the key at 100 because its clock jumped" +
        "%0AW2 took C, D, E at 115%0Aredlock-lab replay out/found-1 --backend simulated",
    ]);
  });
});

test("a search that showed nothing is an error in JUnit, and a warning", () => {
  const vacuous = { ...CLEAN, exitCode: 2 };
  expect(searchJunit(vacuous)).toContain('failures="0" errors="1"');
  expect(searchAnnotations(vacuous)).toHaveLength(1);
  expect(searchAnnotations(vacuous)[0]).toMatch(/^::warning title=redlock-lab%3A 100 schedules/);
});

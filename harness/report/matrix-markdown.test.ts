import { describe, expect, test } from "vitest";
import { type MatrixCell, matrixMarkdown } from "./matrix-markdown.ts";

const cell = (
  scenario: string,
  strategy: string,
  standing: MatrixCell["standing"],
  broken: MatrixCell["broken"] = [],
): MatrixCell => ({ scenario, strategy, standing, broken });

const MATRIX = {
  seed: "7",
  scenarios: [
    { id: "S25", title: "Plain delete" },
    { id: "S26", title: "Get, then delete" },
  ],
  strategies: [
    { name: "redlock", summary: "As shipped." },
    { name: "mutant:plain-del", summary: "DEL." },
  ],
  cells: [
    cell("S25", "redlock", "held"),
    cell("S26", "redlock", "unclear"),
    cell("S25", "mutant:plain-del", "caught", ["declared", "hygiene"]),
    cell("S26", "mutant:plain-del", "untold"),
  ],
};

describe("matrixMarkdown", () => {
  const lines = matrixMarkdown(MATRIX).split("\n");

  test("says of each strategy what caught it, and of what", () => {
    expect(lines).toContain("| 0 | `redlock` | As shipped. | nothing |");
    expect(lines).toContain("| 1 | `mutant:plain-del` | DEL. | S25 (declared, hygiene) |");
  });

  test("has a row for each story and a column for each strategy", () => {
    expect(lines).toContain("| story | 0 | 1 |");
    expect(lines).toContain("| S25 Plain delete | · | ● |");
    expect(lines).toContain("| S26 Get, then delete | ? |   |");
  });

  test("says what was played", () => {
    expect(matrixMarkdown(MATRIX)).toMatch(/the 2 stories was played .* seed 7\./);
  });
});

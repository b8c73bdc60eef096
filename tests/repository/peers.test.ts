/**
 * What users of other lock libraries reported or wished for, what none of those libraries has, and what was
 * measured on them: each is answered by a test that carries its number or by a sentence in docs/guarantees.md.
 */
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";

const repository = join(import.meta.dirname, "..", "..");

/** The collection's numbers, gaps included; `N` is what none has, `E` a measurement. */
const NUMBERS = [
  ...[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 21, 23, 24, 25],
  ...[26, 27, 28, 29, 30, 32, 33, 34, 35, 38, 39],
  ...[40, 41, 42, 43, 44, 45, 46, 47, 48, 49, 50, 51, 52, 53, 55],
  ...[56, 57, 58, 59, 60, 61, 62, 63, 64, 66],
  ...[67, 68, 70, 71, 72],
  ...[73, 74, 75, 76, 77, 78, 79, 80, 81, 82],
  ..."N2 N3 N4 N5 N6 N7 N8 N9 N10 N11 N12 N13 N14 N16".split(" "),
  ..."E1 E2 E3 E4 E5 E5b E6 E7 E7' E7'' E7b E8 E9 E11 E13 E13b E16 E18 E22 E25".split(" "),
].map(String);

const ONE = "[NE]?\\d+b?'*";
const MENTION = new RegExp(`\\bpeers (${ONE}(?:, ${ONE})*)`, "g");

function numbersIn(text: string): readonly string[] {
  return [...text.matchAll(MENTION)].flatMap(([, list = ""]) => list.split(", "));
}

const read = (path: string) => readFileSync(join(repository, path), "utf8");

/** Those that are being written too. */
const testFiles = execFileSync("git", ["ls-files", "-zco", "--exclude-standard", "*.test.ts"], {
  cwd: repository,
  encoding: "utf8",
})
  .split("\0")
  .filter((path) => !path.startsWith("tests/repository/") && path !== "")
  .filter((path) => existsSync(join(repository, path)));

/** What stands in quotes; a comment is no name. */
const named = (path: string) =>
  read(path)
    .split("\n")
    .filter((line) => /["'`].*\bpeers /.test(line) && !/^\s*(?:[*]|\/[/*])/.test(line))
    .join("\n");

describe("what is known of other lock libraries", () => {
  const inTests = testFiles.flatMap((path) => numbersIn(named(path)));
  const inGuarantees = numbersIn(read("docs/guarantees.md"));

  test("each number has a test or a sentence", () => {
    const answered = new Set([...inTests, ...inGuarantees]);

    expect(NUMBERS.filter((number) => !answered.has(number))).toEqual([]);
  });

  test("no test and no sentence carries a number that there is not", () => {
    expect([...inTests, ...inGuarantees].filter((number) => !NUMBERS.includes(number))).toEqual([]);
  });
});

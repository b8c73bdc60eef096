import { fc, test } from "@fast-check/vitest";
import { describe, expect } from "vitest";
import { junitXml } from "./junit.ts";
import type { RunResult } from "./run-result.ts";
import { checkerResults, eventsOf, invalid, runResult } from "./run-result.fixture.ts";

const xmlOf = (...runs: RunResult[]) =>
  junitXml({ startedAt: "2026-01-01T00:00:00.000Z", runs, thresholds: [] }, { resultsFolder: "out" });

/** Finds what no XML parser would accept: forbidden characters, unescaped text, tags that do not match. */
function flawsOf(xml: string): readonly string[] {
  const flaws: string[] = [];
  if (/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/.test(xml)) flaws.push("forbidden character");
  if (/\p{Surrogate}/u.test(xml)) flaws.push("lone surrogate");
  const open: string[] = [];
  const pieces = /<!\[CDATA\[[\s\S]*?\]\]>|<\?[^>]*\?>|<(\/?)([\w-]+)((?:\s+[\w-]+="[^"<]*")*)\s*(\/?)>/g;
  const rest = xml.replaceAll(
    pieces,
    (_all, end?: string, name?: string, attributes = "", isEmpty?: string) => {
      if (name === undefined) return "";
      if (/&(?!(?:amp|lt|gt|quot|apos|#\d+|#x[\dA-Fa-f]+);)/.test(String(attributes))) flaws.push("bare &");
      if (end === "/") {
        if (open.pop() !== name) flaws.push(`</${name}> does not match`);
      } else if (isEmpty !== "/") open.push(name);
      return "";
    },
  );
  if (open.length > 0) flaws.push(`<${String(open.at(-1))}> is not closed`);
  if (rest.trim() !== "") flaws.push(`stray text: ${rest.trim().slice(0, 80)}`);
  return flaws;
}

describe("junitXml", () => {
  test("a violation is a failure of the checker's name, with its sentence", () => {
    const xml = xmlOf(
      runResult({
        outcome: "violated",
        checkers: checkerResults({
          declared: invalid("W1 and W2 both believed"),
          hygiene: invalid("a leak"),
        }),
      }),
    );

    expect(xml).toContain('<failure message="W1 and W2 both believed" type="declared">');
    expect(xml).toContain("hygiene: a leak");
    expect(xml).toContain('failures="1" errors="0" skipped="0"');
  });

  test("a threshold is a case of its own: breached is a failure, not measured an error", () => {
    const worst = { measuredMs: 41, where: "S20 plain", sampleCount: 2 };
    const xml = junitXml(
      {
        startedAt: "2026-01-01T00:00:00.000Z",
        runs: [],
        thresholds: [
          { name: "max-p99-ms", limitMs: 40, worst, outcome: "breached" },
          { name: "max-recovery-ms", limitMs: 40, worst: null, outcome: "unmeasured" },
          { name: "max-p99-ms", limitMs: 50, worst, outcome: "kept" },
        ],
      },
      { resultsFolder: "out" },
    );

    expect(flawsOf(xml)).toEqual([]);
    expect(xml).toContain('name="thresholds"');
    expect(xml).toContain('tests="3" failures="1" errors="1"');
    expect(xml).toContain("41.0 ms in S20 plain");
  });

  test("an expected violation that showed is a pass", () => {
    const checkers = checkerResults({ stale: invalid("an old write") }, { stale: "invalid" });

    expect(xmlOf(runResult({ checkers }))).toContain('tests="1" failures="0" errors="0" skipped="0"');
  });

  test.each(["not-reproduced", "inconclusive", "infrastructure"] as const)("%s is an error", (outcome) => {
    const xml = xmlOf(runResult({ outcome, reason: "port 7001 is taken" }));

    expect(xml).toContain(`<error message="port 7001 is taken" type="${outcome}"/>`.replace("/>", ">"));
    expect(xml).toContain('failures="0" errors="1"');
  });

  test("what was skipped says why", () => {
    const xml = xmlOf(runResult({ outcome: "skipped", reason: "no clock shim here" }));

    expect(xml).toContain('<skipped message="no clock shim here"/>');
    expect(xml).toContain('skipped="1"');
  });

  test("a case carries what is needed to run it again", () => {
    const events = eventsOf([5, { kind: "run-ended" }]);
    const xml = xmlOf(runResult({ events, repetition: 3 }));

    expect(xml).toContain('<property name="seed" value="7"/>');
    expect(xml).toContain('<property name="schedule" value="out/S16-plain-3/schedule.json"/>');
    expect(xml).toContain('<property name="quorum" value="3"/>');
    expect(xml).toContain('<property name="ttlMs" value="1000"/>');
    expect(xml).toContain('<property name="coverage.events" value="1"/>');
    expect(xml).toContain("replay: redlock-lab run S16 --variant plain --backend local --seed 7");
    expect(xml).toContain("[[ATTACHMENT|out/S16-plain-3/history.jsonl]]");
  });

  test("scenarios are suites, in the order in which they were run", () => {
    const xml = xmlOf(runResult({ scenario: "S16" }), runResult({ scenario: "S01" }), runResult());

    expect(
      [...xml.matchAll(/<testsuite name="(S\d\d)[^>]*tests="(\d)"/g)].map(([, id, n]) => [id, n]),
    ).toEqual([
      ["S16", "2"],
      ["S01", "1"],
    ]);
  });

  const hostileText = fc
    .array(
      fc.constantFrom("\0", "\u001b[31m", "]]>", "<b>", "&", '"', "'", "\ud800", "\uffff", "\r\n", "é", "😀"),
    )
    .map((parts) => parts.join("x"));

  test.prop([
    hostileText,
    fc.constantFrom<RunResult["outcome"]>("violated", "inconclusive", "skipped", "matched"),
  ])("no text makes it ill-formed", (text, outcome) => {
    const checkers = checkerResults({ declared: invalid(text) });
    const run = runResult({
      outcome,
      reason: text,
      replay: text,
      title: text,
      seed: text,
      stagings: [text],
      checkers,
    });

    expect(flawsOf(xmlOf(run))).toEqual([]);
  });
});

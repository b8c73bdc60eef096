/** A finished search (drawn or exhaustive) as CI systems read it: a summary, one JUnit case, one annotation. Pure. */
import type { TestCase } from "junit-report-builder";
import { EXIT_CODES } from "../exit-code.ts";
import { exitMeaning } from "../exit-meaning.ts";
import { newBuilder } from "../junit.ts";
import { xmlBlock, xmlLine } from "../xml-text.ts";
import { annotationLine } from "./github-annotations.ts";

export interface SearchReport {
  /** `10000 schedules of redlock, seed 1`. */
  readonly name: string;
  readonly command: string;
  /** What the terminal shows. */
  readonly text: string;
  readonly startedAt: string;
  readonly durationMs: number;
  readonly exitCode: number;
  readonly found: {
    readonly checker: string;
    readonly story: readonly string[];
    readonly replay: string;
  } | null;
}

const MS_PER_SECOND = 1000;

export function searchSummary({ name, command, text, exitCode }: SearchReport): string {
  return [
    `# Redlock lab: ${name}`,
    "",
    `**${exitMeaning(exitCode)}** (exit code ${exitCode}).`,
    "",
    `\`${command.replaceAll("`", "'")}\``,
    "",
    ...text.split("\n").map((line) => `    ${line}`),
    "",
  ].join("\n");
}

export function searchJunit(report: SearchReport): string {
  const builder = newBuilder().name("redlock-lab");
  const suite = builder.testSuite().name("explore").timestamp(report.startedAt);
  const seconds = Math.round(report.durationMs) / MS_PER_SECOND;
  const testCase = suite.testCase().className("redlock-lab.explore").name(xmlLine(report.name)).time(seconds);
  testCase.property("command", xmlLine(report.command));
  addOutcome(testCase, report);
  testCase.standardOutput(xmlBlock(report.text));
  return builder.build();
}

export function searchAnnotations({ name, exitCode, found }: SearchReport): readonly string[] {
  if (found !== null) {
    const title = `redlock-lab: ${found.checker} broken by a schedule`;
    return [annotationLine({ level: "error", title, message: storyOf(found) })];
  }
  if (exitCode === EXIT_CODES.ok) return [];
  return [
    annotationLine({ level: "warning", title: `redlock-lab: ${name}`, message: exitMeaning(exitCode) }),
  ];
}

function addOutcome(testCase: TestCase, { exitCode, found }: SearchReport): void {
  if (found !== null) {
    testCase.failure(xmlLine(found.story[0] ?? exitMeaning(exitCode)), found.checker);
    testCase.stacktrace(xmlBlock(storyOf(found)));
  } else if (exitCode !== EXIT_CODES.ok) testCase.error(xmlLine(exitMeaning(exitCode)), "inconclusive");
}

function storyOf({ story, replay }: NonNullable<SearchReport["found"]>): string {
  return [...story, replay].join("\n");
}

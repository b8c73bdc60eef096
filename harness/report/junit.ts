/**
 * JUnit XML in its common flavour: one suite for each scenario, one case for each run. A violation or a missed
 * bound is a failure; what proves nothing (inconclusive, not reproduced, no server) is an error.
 */
import junitReportBuilder from "junit-report-builder";
import type { Builder, TestCase } from "junit-report-builder";
import { thresholdSentence } from "./ci/threshold.ts";
import type { ThresholdResult } from "./ci/threshold-result.ts";
import { coverageOf } from "./coverage.ts";
import { unwantedFindings } from "./findings.ts";
import { RUN_FILES, runFolder } from "./run-folder.ts";
import type { LabReport, RunResult } from "./run-result.ts";
import { xmlBlock, xmlLine } from "./xml-text.ts";

const MS_PER_SECOND = 1000;

/** @param resultsFolder the folder of the runs' files, as a reader of the XML will find it. */
export function junitXml(
  report: Pick<LabReport, "startedAt" | "runs" | "thresholds">,
  { resultsFolder }: { readonly resultsFolder: string },
): string {
  const builder = newBuilder().name("redlock-lab");
  const scenarios = new Set(report.runs.map(({ scenario }) => scenario));
  for (const scenario of scenarios) {
    const runs = report.runs.filter((run) => run.scenario === scenario);
    const suite = builder
      .testSuite()
      .name(xmlLine(`${scenario} ${runs[0]?.title ?? ""}`))
      .timestamp(report.startedAt)
      .time(secondsFromMs(runs.reduce((sumMs, run) => sumMs + run.durationMs, 0)));
    for (const run of runs) describeRun(suite.testCase(), run, `${resultsFolder}/${runFolder(run)}`);
  }
  addThresholds(builder, report);
  return builder.build();
}

function addThresholds(
  builder: Builder,
  { thresholds, startedAt }: Pick<LabReport, "startedAt" | "thresholds">,
): void {
  if (thresholds.length === 0) return;
  const suite = builder.testSuite().name("thresholds").timestamp(startedAt);
  for (const result of thresholds) {
    const testCase = suite.testCase().className("redlock-lab.thresholds").name(result.name);
    testCase.property("limitMs", String(result.limitMs));
    testCase.property("measuredMs", String(result.worst?.measuredMs ?? "not measured"));
    addThresholdOutcome(testCase, result);
  }
}

function addThresholdOutcome(testCase: TestCase, result: ThresholdResult): void {
  const sentence = xmlLine(thresholdSentence(result));
  if (result.outcome === "breached") testCase.failure(sentence, result.name);
  if (result.outcome === "unmeasured") testCase.error(sentence, "inconclusive");
}

/** The package's types describe its ES module, Node loads the other one: both shapes are understood. */
export function newBuilder(): Builder {
  const loaded: unknown = junitReportBuilder;
  return (isBuilder(loaded) ? loaded : junitReportBuilder.default).newBuilder();
}

function isBuilder(loaded: unknown): loaded is Builder {
  return typeof loaded === "object" && loaded !== null && "newBuilder" in loaded;
}

function describeRun(testCase: TestCase, run: RunResult, folder: string): void {
  testCase
    .className(xmlLine(`redlock-lab.${run.scenario}`))
    .name(xmlLine(`${run.variant} #${run.repetition} on ${run.backend}`))
    .time(secondsFromMs(run.durationMs));
  for (const [name, value] of propertiesOf(run, folder)) testCase.property(name, xmlLine(value));
  addOutcome(testCase, run);
  testCase.standardOutput(outputOf(run, folder));
}

function propertiesOf(run: RunResult, folder: string): readonly (readonly [string, string])[] {
  const coverage = Object.entries(coverageOf(run)).map(
    ([name, count]) => [`coverage.${name}`, String(count)] as const,
  );
  return [
    ["seed", run.seed],
    ["schedule", run.plan === undefined ? "none: nothing was played" : `${folder}/${RUN_FILES.schedule}`],
    ["replay", run.replay],
    ["nodes", String(run.plan?.settings.nodeCount ?? "")],
    ["quorum", String(run.plan?.settings.quorum ?? "")],
    ["ttlMs", String(run.plan?.settings.ttlMs ?? "")],
    ["outcome", run.outcome],
    ["stagings", String(run.stagings.length)],
    ...coverage,
  ];
}

function addOutcome(testCase: TestCase, run: RunResult): void {
  switch (run.outcome) {
    case "matched":
      return;
    case "violated":
    case "late": {
      const findings = unwantedFindings(run);
      const first = findings[0];
      const sentences = findings.flatMap(({ checker, evidence }) =>
        evidence.map(({ sentence }) => `${checker}: ${sentence}`),
      );
      testCase.failure(xmlLine(first?.evidence[0].sentence ?? run.reason), first?.checker ?? run.outcome);
      testCase.stacktrace(xmlBlock(sentences.join("\n")));
      return;
    }
    case "non-deterministic":
    case "not-reproduced":
    case "inconclusive":
    case "infrastructure":
      testCase.error(xmlLine(run.reason), run.outcome, xmlBlock(run.stagings.join("\n")));
      return;
    case "skipped":
      testCase.skipped();
      addSkipReason(testCase, xmlLine(run.reason));
      return;
  }
}

/** The builder knows no message for what was skipped, and a skip without its reason helps nobody. */
function addSkipReason(testCase: TestCase, reason: string): void {
  const build = testCase.build.bind(testCase);
  testCase.build = (parent) => {
    const element = build(parent);
    const skipped = element.children.find((child) => "name" in child && child.name === "skipped");
    if (skipped !== undefined && "att" in skipped) skipped.att("message", reason);
    return element;
  };
}

function outputOf(run: RunResult, folder: string): string {
  const lines = [run.reason, `replay: ${run.replay}`];
  if (run.events.length > 0) lines.push(`[[ATTACHMENT|${folder}/${RUN_FILES.history}]]`);
  return xmlBlock(lines.join("\n"));
}

function secondsFromMs(ms: number): number {
  return Math.round(ms) / MS_PER_SECOND;
}

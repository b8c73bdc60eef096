/** The files that a command leaves: an index of all runs, and a folder for each. */
import { closeSync, openSync, rmdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { formatHistory } from "../../history/jsonl.ts";
import { UsageError } from "../../lab-error.ts";
import { indexJson, runJson } from "../../report/json.ts";
import { junitXml } from "../../report/junit.ts";
import { RUN_FILES, runFolder } from "../../report/run-folder.ts";
import type { LabReport, RunResult } from "../../report/run-result.ts";
import { summaryMarkdown } from "../../report/summary-markdown.ts";
import { makeFolder } from "./make-folder.ts";

export interface ResultsFolder {
  readonly path: string;
  /** Writes the files of one run, as soon as it is over. */
  readonly writeRun: (run: RunResult) => void;
  readonly writeReport: (report: LabReport) => void;
  /** Takes back what was made, where nothing was written. */
  readonly abandon: () => void;
}

/**
 * Makes the folder, and the one for the JUnit file, and tries to write there: before anything is started.
 *
 * @throws UsageError one sentence.
 */
export function openResultsFolder(
  path: string,
  { junitFile, labVersion }: { readonly junitFile?: string | undefined; readonly labVersion: string },
): ResultsFolder {
  const firstMade = attempt(path, () => makeFolder(path));
  const probe = join(path, ".redlock-lab-probe");
  attempt(path, () => {
    writeFileSync(probe, "");
    rmSync(probe);
  });
  if (junitFile !== undefined) tryFile(junitFile);
  return {
    path,
    writeRun: (run) => writeRun(path, run, labVersion),
    writeReport: (report) => writeReport(path, junitFile, report),
    abandon: () => {
      if (firstMade !== undefined) removeIfEmpty(path, firstMade);
    },
  };
}

/** The default: a folder for each command, whose name sorts by time. */
export function defaultResultsPath(startedAt: string): string {
  return join("redlock-lab-results", startedAt.replaceAll(/[:.]/g, "-"));
}

function tryFile(file: string): void {
  attempt(file, () => {
    makeFolder(dirname(file));
    closeSync(openSync(file, "a"));
  });
}

function writeRun(path: string, run: RunResult, labVersion: string): void {
  const folder = join(path, runFolder(run));
  attempt(folder, () => {
    makeFolder(folder);
    writeFileSync(join(folder, RUN_FILES.result), runJson(run, { labVersion }));
    if (run.header !== undefined) {
      const history = { header: run.header, events: run.events };
      writeFileSync(join(folder, RUN_FILES.history), formatHistory(history));
    }
    if (run.plan !== undefined) {
      writeFileSync(join(folder, RUN_FILES.schedule), `${JSON.stringify(run.plan, undefined, 2)}\n`);
    }
  });
}

function writeReport(path: string, junitFile: string | undefined, report: LabReport): void {
  const xml = junitXml(report, { resultsFolder: path });
  attempt(path, () => {
    writeFileSync(join(path, "result.json"), indexJson(report));
    writeFileSync(join(path, "junit.xml"), xml);
    writeFileSync(join(path, "summary.md"), summaryMarkdown(report));
  });
  if (junitFile !== undefined) attempt(junitFile, () => writeFileSync(junitFile, xml));
}

function attempt<Result>(path: string, write: () => Result): Result {
  try {
    return write();
  } catch (cause) {
    throw new UsageError(`${path} cannot be written: ${reasonOf(cause)}.`, { cause });
  }
}

const REASONS: Readonly<Record<string, string>> = {
  EACCES: "permission denied",
  EPERM: "permission denied",
  EROFS: "the file system is read-only",
  ENOSPC: "the disk is full",
  ENOTDIR: "a part of the path is a file",
  EEXIST: "there is a file of that name",
  EISDIR: "it is a folder",
  ENAMETOOLONG: "the name is too long",
};

function reasonOf(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause);
  const code = "code" in cause ? String(cause.code) : "";
  return REASONS[code] ?? (code === "" ? cause.message : code);
}

/** From the folder up to the first that was made for it; one that holds something stays. */
function removeIfEmpty(path: string, firstMade: string): void {
  let folder = resolve(path);
  while (folder.length >= resolve(firstMade).length) {
    try {
      rmdirSync(folder);
    } catch {
      // Somebody has put something there: then it is theirs.
      return;
    }
    folder = dirname(folder);
  }
}

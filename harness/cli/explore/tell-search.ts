/** Says and writes down what a search came to: for people, for programs, for CI systems. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  type SearchReport,
  searchAnnotations,
  searchJunit,
  searchSummary,
} from "../../report/ci/search-report.ts";
import { exitMeaning } from "../../report/exit-meaning.ts";
import { tellGithub } from "../run/tell-github.ts";
import type { CliWorld } from "../world.ts";

const INDENT = 2;

export interface SearchPlace {
  /** Of the results. */
  readonly folder: string;
  /** Of the report as JSON, in that folder. */
  readonly fileName: string;
  readonly json: boolean;
  readonly world: CliWorld;
}

/** @param machine the report as programs read it. */
export function tellSearch(
  report: SearchReport,
  machine: object,
  { folder, fileName, json, world }: SearchPlace,
): void {
  const text = `${JSON.stringify(machine, undefined, INDENT)}\n`;
  const summary = searchSummary(report);
  writeFileSync(join(folder, fileName), text);
  writeFileSync(join(folder, "junit.xml"), searchJunit(report));
  writeFileSync(join(folder, "summary.md"), summary);
  const output = json ? world.err : world.out;
  const { exitCode } = report;
  if (json) world.out.write(text);
  else world.out.write(`${report.text}\n\nExit code ${exitCode}: ${exitMeaning(exitCode)}.\n`);
  output.write(`Results: ${folder}\n`);
  tellGithub({ annotations: searchAnnotations(report), summary }, { world, output });
}

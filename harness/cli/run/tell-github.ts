/** What GitHub Actions shows of a command: annotations in its log, and the summary of the step. Nothing elsewhere. */
import { appendFileSync, statSync } from "node:fs";
import { cutMarkdown } from "../../report/ci/cut-markdown.ts";
import type { CliWorld, Output } from "../world.ts";

/** GitHub shows nothing at all of a step's summary that is larger. */
const SUMMARY_BYTES_MAX = 1024 * 1024;

/** A summary that cannot be written is told of and spoils nothing. */
export function tellGithub(
  { annotations, summary }: { readonly annotations: readonly string[]; readonly summary: string },
  { world: { env, err }, output }: { readonly world: CliWorld; readonly output: Output },
): void {
  if (env["GITHUB_ACTIONS"] !== "true") return;
  for (const line of annotations) output.write(`${line}\n`);
  const file = env["GITHUB_STEP_SUMMARY"];
  if (file === undefined || file === "") return;
  try {
    const before = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
    appendFileSync(file, cutMarkdown(summary, SUMMARY_BYTES_MAX - before));
  } catch (cause) {
    err.write(
      `redlock-lab: the summary of the step cannot be written: ${cause instanceof Error ? cause.message : String(cause)}\n`,
    );
  }
}

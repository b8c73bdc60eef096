/** What is said while runs go on: one live line on a terminal, a line for each finished run everywhere. */
import type { Palette } from "../../report/palette.ts";
import type { RunOutcome, RunResult } from "../../report/run-result.ts";
import type { Progress } from "../../runner/lab-request.ts";
import { oneLine } from "../failure.ts";
import type { Output } from "../world.ts";

const CLEAR_LINE = "\r\u001b[2K";
const COLUMNS_DEFAULT = 80;
const SIGNS: Readonly<Record<RunOutcome, string>> = {
  matched: "ok  ",
  violated: "FAIL",
  late: "FAIL",
  "non-deterministic": "FAIL",
  "not-reproduced": "??  ",
  inconclusive: "??  ",
  infrastructure: "ERR ",
  skipped: "skip",
};

export class ProgressLines {
  readonly #output: Output;
  readonly #palette: Palette;
  readonly #running = new Set<string>();
  #finishedCount = 0;

  constructor(output: Output, palette: Palette) {
    this.#output = output;
    this.#palette = palette;
  }

  show(progress: Progress): void {
    switch (progress.kind) {
      case "run-started":
        this.#running.add(nameOf(progress));
        break;
      case "run-staged-again":
        this.#print(
          this.#palette.faint(`     ${nameOf(progress)} is staged again: ${oneLine(progress.why)}`),
        );
        break;
      case "run-finished":
        this.#running.delete(nameOf(progress.result));
        this.#finishedCount += 1;
        this.#print(this.#finishedLine(progress.result));
        break;
    }
    this.#showLive();
  }

  /** A line of its own, whatever else is going on. */
  say(text: string): void {
    this.#print(text);
    this.#showLive();
  }

  /** Leaves nothing half-written behind. */
  finish(): void {
    this.#running.clear();
    if (this.#output.isTerminal) this.#output.write(CLEAR_LINE);
  }

  #print(line: string): void {
    this.#output.write(this.#output.isTerminal ? `${CLEAR_LINE}${line}\n` : `${line}\n`);
  }

  #showLive(): void {
    if (!this.#output.isTerminal || this.#running.size === 0) return;
    const line = `${this.#finishedCount} done, playing ${[...this.#running].join(", ")}`;
    this.#output.write(`${CLEAR_LINE}${this.#palette.faint(this.#cut(line, 0))}`);
  }

  #finishedLine(result: RunResult): string {
    const { outcome, reason, durationMs, digest } = result;
    const sign = this.#paint(outcome)(SIGNS[outcome]);
    const seconds = `${(durationMs / 1000).toFixed(1)} s`;
    const what = `${nameOf(result).padEnd(NAME_COLUMNS)} ${seconds.padStart(6)}  ${digest === undefined ? "" : `${digest}  `}${oneLine(reason)}`;
    return `${sign} ${this.#output.isTerminal ? this.#cut(what, SIGN_COLUMNS) : what}`;
  }

  /** A live line that wraps could not be cleared. What is cut off here is in the report and in the files. */
  #cut(line: string, usedColumns: number): string {
    return line.slice(0, (this.#output.columns ?? COLUMNS_DEFAULT) - 1 - usedColumns);
  }

  #paint(outcome: RunOutcome): (text: string) => string {
    if (outcome === "matched") return this.#palette.good;
    return outcome === "skipped" ? this.#palette.faint : this.#palette.bad;
  }
}

const NAME_COLUMNS = 24;
const SIGN_COLUMNS = 5;

function nameOf({
  scenario,
  variant,
  repetition,
}: Pick<RunResult, "scenario" | "variant" | "repetition">): string {
  return `${scenario} ${variant} #${repetition}`;
}

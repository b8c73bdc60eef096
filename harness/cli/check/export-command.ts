/** `redlock-lab export`: a stored history in the form that another judge reads. */
import { writeFileSync } from "node:fs";
import { type Command, Option } from "commander";
import { ednHistory } from "../../export/edn.ts";
import { porcupineText } from "../../export/porcupine.ts";
import type { History } from "../../history/history.ts";
import { UsageError } from "../../lab-error.ts";
import { oneLine } from "../failure.ts";
import { isSamePlace } from "../same-place.ts";
import type { CliWorld } from "../world.ts";
import { historyFileAt, readHistory } from "./read-history.ts";

const FORMATS = {
  edn: ednHistory,
  porcupine: porcupineText,
} as const satisfies Readonly<Record<string, (history: History) => string>>;

export interface ExportOptions {
  readonly format: keyof typeof FORMATS;
  readonly out?: string;
}

export function addExportOptions(command: Command): Command {
  return command
    .addOption(
      new Option("--format <name>", "edn: as Jepsen writes it; porcupine: operations as JSON Lines")
        .choices(Object.keys(FORMATS))
        .makeOptionMandatory(),
    )
    .option("--out <file>", "where it goes (default: standard output)");
}

/** @throws UsageError one sentence: the file is no history, or the other one cannot be written. */
export function exportCommand(path: string, { format, out }: ExportOptions, world: CliWorld): void {
  const file = historyFileAt(path);
  if (out !== undefined && isSamePlace(out, file)) {
    throw new UsageError(`${out} is the history that is read; name another file with --out.`);
  }
  const text = FORMATS[format](readHistory(file));
  if (out === undefined) {
    world.out.write(text);
    return;
  }
  try {
    writeFileSync(out, text);
  } catch (cause) {
    const reason = cause instanceof Error ? oneLine(cause.message) : String(cause);
    throw new UsageError(`${out} cannot be written: ${reason}`, { cause });
  }
}

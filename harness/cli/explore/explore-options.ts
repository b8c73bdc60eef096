/** The options of `explore`: their names, ranges and meanings. */
import { availableParallelism } from "node:os";
import { type Command, InvalidArgumentError, Option } from "commander";
import { type Allowance, ALLOWANCE_NAMES, allowanceOf } from "../../explore/allowance.ts";
import { type Shard, shardFrom, WHOLE } from "../../explore/shard.ts";
import { strategyOf } from "../../strategies/all-strategies.ts";
import { wholeNumber } from "../run/number-option.ts";
import { seedText } from "../run/run-options.ts";

export interface ExploreOptions {
  readonly schedules: number;
  readonly seed: string;
  readonly allow: readonly Allowance[];
  readonly strategy: string;
  readonly faultsMax: number;
  readonly threads: number;
  readonly shard: Shard;
  readonly out?: string;
  readonly json?: true;
  readonly ascii?: true;
}

const THREADS_MAX = 256;
const SCHEDULES_MAX = 1_000_000_000;
const FAULTS_MAX = 20;

const OPTIONS: readonly Option[] = [
  numberOption("--schedules <n>", "how many schedules", { min: 1, max: SCHEDULES_MAX }).default(10_000),
  new Option("--seed <text>", "what schedules are drawn from").argParser(seedText).default("1"),
  new Option("--allow <assumption>", `lift one; may be repeated: ${ALLOWANCE_NAMES.join(", ")}`)
    .argParser((name: string, before: readonly Allowance[]) => [
      ...new Set([...before, parsed(name, allowanceOf)]),
    ])
    .default([]),
  new Option("--strategy <name>", "how workers lock; `redlock-lab list --strategies` shows them")
    .argParser((name: string) => parsed(name, strategyOf).name)
    .default("redlock"),
  numberOption("--faults-max <n>", "at most so many faults in a schedule", {
    min: 0,
    max: FAULTS_MAX,
  }).default(6),
  numberOption("--threads <n>", "threads; the answer does not depend on them", {
    min: 1,
    max: THREADS_MAX,
  }).default(availableParallelism(), "one for each core"),
  new Option("--shard <i/n>", "explore only the i-th part of n; `merge` joins the parts")
    .argParser((text: string) => parsed(text, shardFrom))
    .default(WHOLE, "1/1"),
  new Option("--out <folder>", "where results go (default: redlock-lab-results/<time>)"),
  new Option("--json", "print only JSON on standard output; progress goes to standard error"),
  new Option("--ascii", "draw with ASCII characters only"),
];

export function addExploreOptions(command: Command): Command {
  for (const option of OPTIONS) command.addOption(option);
  return command;
}

function numberOption(
  flags: string,
  meaning: string,
  range: { readonly min: number; readonly max: number },
): Option {
  return new Option(flags, meaning).argParser(wholeNumber(range));
}

/** What cannot be used is said as commander says it. */
function parsed<Value>(text: string, parse: (text: string) => Value): Value {
  try {
    return parse(text);
  } catch (cause) {
    throw new InvalidArgumentError(cause instanceof Error ? cause.message : String(cause));
  }
}

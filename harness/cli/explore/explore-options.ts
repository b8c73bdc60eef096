/** The options of `explore`: their names, ranges and meanings. */
import { availableParallelism } from "node:os";
import { type Command, InvalidArgumentError, Option } from "commander";
import { BACKEND_NAMES, type BackendName } from "../../backends/backend.ts";
import { type Allowance, ALLOWANCE_NAMES, allowanceOf } from "../../explore/allowance.ts";
import { type Shard, shardFrom, WHOLE } from "../../explore/shard.ts";
import { strategyOf } from "../../strategies/all-strategies.ts";
import { wholeNumber } from "../run/number-option.ts";
import { seedText } from "../run/run-options.ts";

export interface ExploreOptions {
  readonly backend: BackendName;
  /** Only on servers. */
  readonly concurrency: number;
  /** Default: `SCHEDULES_DEFAULT`. */
  readonly schedules?: number;
  readonly seed: string;
  readonly allow: readonly Allowance[];
  readonly strategy: string;
  readonly faultsMax: number;
  readonly threads: number;
  readonly exhaustive?: true;
  readonly faults: number;
  readonly messages: number;
  readonly seconds: number;
  readonly shard: Shard;
  readonly out?: string;
  readonly json?: true;
  readonly ascii?: true;
}

/** How many schedules where nobody says: seconds each on servers, microseconds in the simulation. */
export const SCHEDULES_DEFAULT: Readonly<Record<BackendName, number>> = { simulated: 10_000, local: 20 };

const THREADS_MAX = 256;
const CONCURRENCY_MAX = 16;
const SCHEDULES_MAX = 1_000_000_000;
const FAULTS_MAX = 20;

const OPTIONS: readonly Option[] = [
  new Option("--backend <name>", "where schedules are played").choices(BACKEND_NAMES).default("simulated"),
  numberOption("--concurrency <n>", "with --backend local: how many schedules at once", {
    min: 1,
    max: CONCURRENCY_MAX,
  }).default(2),
  numberOption(
    "--schedules <n>",
    `how many schedules (default: ${SCHEDULES_DEFAULT.simulated}; ${SCHEDULES_DEFAULT.local} on servers)`,
    { min: 1, max: SCHEDULES_MAX },
  ),
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
  new Option("--exhaustive", "walk small worlds completely instead of drawing schedules"),
  numberOption("--faults <k>", "with --exhaustive: at most so many faults", { min: 0, max: 3 }).default(1),
  numberOption("--messages <k>", "with --exhaustive: at most so many messages late or lost", {
    min: 0,
    max: 4,
  }).default(2),
  numberOption("--seconds <n>", "with --exhaustive: end it after so long", { min: 1, max: 86_400 }).default(
    60,
  ),
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

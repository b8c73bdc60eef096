/** The options of `explore`: their names, ranges and meanings. */
import { availableParallelism } from "node:os";
import { type Command, Option } from "commander";
import { BACKEND_NAMES, type BackendName } from "../../backends/backend.ts";
import { type Allowance, ALLOWANCE_NAMES, allowanceOf } from "../../explore/allowance.ts";
import { type Shard, shardFrom } from "../../runner/shard.ts";
import { UsageError } from "../../lab-error.ts";
import { strategyOf } from "../../strategies/all-strategies.ts";
import { numberOption, parsed } from "../run/number-option.ts";
import type { ExploreQuestion } from "./explore-report.ts";
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
  /** Default: `FAULTS_MAX_DEFAULT`. */
  readonly faultsMax?: number;
  readonly threads: number;
  readonly exhaustive?: true;
  /** The next three only with `exhaustive`; defaults: `EXHAUSTIVE_DEFAULTS`. */
  readonly faults?: number;
  readonly messages?: number;
  readonly seconds?: number;
  /** Default: the whole. */
  readonly shard?: Shard;
  readonly out?: string;
  readonly json?: true;
  readonly ascii?: true;
}

/** How many schedules where nobody says: seconds each on servers, microseconds in the simulation. */
export const SCHEDULES_DEFAULT: Readonly<Record<BackendName, number>> = { simulated: 10_000, local: 20 };

export const FAULTS_MAX_DEFAULT = 6;

/** A small world takes a minute on two cores, and nothing is lost by waiting for a slower machine. */
export const EXHAUSTIVE_DEFAULTS = { faults: 1, messages: 2, seconds: 300 } as const;

const ONLY_EXHAUSTIVE = ["faults", "messages", "seconds"] as const;
const ONLY_DRAWN = ["schedules", "faultsMax", "shard"] as const;

/** @throws UsageError one sentence about an option that this kind of search does not know. */
export function checkFit(options: ExploreOptions): void {
  const isExhaustive = options.exhaustive === true;
  const strange = (isExhaustive ? ONLY_DRAWN : ONLY_EXHAUSTIVE).find((name) => options[name] !== undefined);
  if (strange === undefined) return;
  const flag = strange === "faultsMax" ? "--faults-max" : `--${strange}`;
  throw new UsageError(
    isExhaustive
      ? `${flag} is for drawn schedules: --exhaustive walks them all.`
      : `${flag} is for --exhaustive; --schedules and --faults-max bound drawn schedules.`,
  );
}

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
  numberOption("--faults-max <n>", `at most so many faults in a schedule (default: ${FAULTS_MAX_DEFAULT})`, {
    min: 0,
    max: FAULTS_MAX,
  }),
  numberOption("--threads <n>", "threads; the answer does not depend on them", {
    min: 1,
    max: THREADS_MAX,
  }).default(availableParallelism(), "one for each core"),
  new Option("--shard <i/n>", "explore only the i-th part of n; `merge` joins the parts").argParser(
    (text: string) => parsed(text, shardFrom),
  ),
  new Option("--exhaustive", "walk small worlds completely instead of drawing schedules"),
  numberOption(
    "--faults <k>",
    `with --exhaustive: at most so many faults (default: ${EXHAUSTIVE_DEFAULTS.faults})`,
    {
      min: 0,
      max: 3,
    },
  ),
  numberOption(
    "--messages <k>",
    `with --exhaustive: at most so many messages late or lost (default: ${EXHAUSTIVE_DEFAULTS.messages})`,
    { min: 0, max: 4 },
  ),
  numberOption(
    "--seconds <n>",
    `with --exhaustive: end it after so long (default: ${EXHAUSTIVE_DEFAULTS.seconds})`,
    { min: 1, max: 86_400 },
  ),
  new Option("--out <folder>", "where results go (default: redlock-lab-results/<time>)"),
  new Option("--json", "print only JSON on standard output; progress goes to standard error"),
  new Option("--ascii", "draw with ASCII characters only"),
];

export function addExploreOptions(command: Command): Command {
  for (const option of OPTIONS) command.addOption(option);
  return command;
}

/** What is asked, with what nobody said filled in. */
export function questionOf(
  options: ExploreOptions,
  { version }: { readonly version: string },
): ExploreQuestion {
  const { backend, seed, allow, strategy } = options;
  const { schedules = SCHEDULES_DEFAULT[backend], faultsMax = FAULTS_MAX_DEFAULT } = options;
  const question = { labVersion: version, seed, schedules, allow: allow.toSorted(), strategy, faultsMax };
  return backend === "simulated" ? question : { ...question, backend };
}

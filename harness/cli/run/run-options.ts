/** The options of `run`: their names, ranges and meanings, and what they turn into. */
import { type Command, InvalidArgumentError, Option } from "commander";
import { BACKEND_NAMES, type BackendName } from "../../backends/backend.ts";
import type { Threshold } from "../../report/ci/threshold-result.ts";
import { type Shard, shardFrom } from "../../runner/shard.ts";
import type { LabSettings } from "../../scenario/lab-settings.ts";
import { decimalNumber, numberOption, parsed } from "./number-option.ts";

/** Where runs are played, and where what came out goes. */
export interface OutputOptions {
  readonly backend: BackendName;
  readonly out?: string;
  readonly junit?: string;
  readonly json?: true;
  readonly ascii?: true;
  readonly portBase?: number;
}

export interface ReplayOptions extends OutputOptions {
  readonly repeat: number;
  readonly concurrency: number;
}

/** What commander hands over. */
export interface RunOptions extends ReplayOptions {
  readonly variant: readonly string[];
  readonly seed: string;
  readonly strategy?: string;
  readonly ttlMs?: number;
  readonly nodes?: number;
  readonly quorum?: number;
  readonly nodeTimeoutMs?: number;
  readonly driftFactor?: number;
  readonly maxP99Ms?: number;
  readonly maxRecoveryMs?: number;
  readonly shard?: Shard;
}

const TEN_MINUTES_MS = 600_000;
const LIMIT_MS = { min: 0, max: TEN_MINUTES_MS };
const NODES = { min: 1, max: 9 };

const SHARED_OPTIONS: readonly Option[] = [
  new Option("--backend <name>", "where it is played").choices(BACKEND_NAMES).default("simulated"),
  numberOption("--repeat <n>", "repetitions", { min: 1, max: 1000 }).default(1),
  numberOption("--concurrency <n>", "runs that go on at once", { min: 1, max: 16 }).default(2),
  new Option("--out <folder>", "where results go (default: redlock-lab-results/<time>)"),
  new Option("--junit <file>", "write JUnit XML here as well"),
  new Option("--json", "print only JSON on standard output; progress goes to standard error"),
  new Option("--ascii", "draw with ASCII characters only"),
  numberOption("--port-base <n>", "first of the ports that servers listen on", { min: 1024, max: 65_000 }),
];

const RUN_OPTIONS: readonly Option[] = [
  new Option("--variant <name>", "only this variant; may be repeated").argParser(collect).default([]),
  new Option("--seed <text>", "what the run draws from").argParser(seedText).default("1"),
  new Option("--strategy <name>", "put another way to lock on trial (list --strategies names them)"),
  numberOption("--ttl-ms <n>", "lifetime of a lock", { min: 10, max: TEN_MINUTES_MS }),
  numberOption("--nodes <n>", "independent Redis masters", NODES),
  numberOption("--quorum <n>", "votes that a lock needs, a majority at least", NODES),
  numberOption("--node-timeout-ms <n>", "how long one node may take to answer", {
    min: 1,
    max: TEN_MINUTES_MS,
  }),
  new Option("--drift-factor <x>", "share of the lifetime given up for clocks (0 to 0.5)").argParser(
    decimalNumber({ min: 0, max: 0.5 }),
  ),
  numberOption("--max-p99-ms <n>", "fail (exit code 4) where p99 of acquire is above it", LIMIT_MS),
  numberOption(
    "--max-recovery-ms <n>",
    "fail (4) where it took longer to a grant after the trouble",
    LIMIT_MS,
  ),
  new Option("--shard <i/n>", "play only the i-th part of n").argParser((text: string) =>
    parsed(text, shardFrom),
  ),
];

export function addRunOptions(command: Command): Command {
  for (const option of [...RUN_OPTIONS, ...SHARED_OPTIONS]) command.addOption(option);
  return command;
}

export function addReplayOptions(command: Command): Command {
  for (const option of SHARED_OPTIONS) command.addOption(option);
  return command;
}

/** Only what was given: scenarios and variants decide the rest. */
export function overridesFrom(options: RunOptions): Partial<LabSettings> {
  const { nodes, quorum, ttlMs, nodeTimeoutMs, driftFactor } = options;
  return {
    ...(nodes === undefined ? {} : { nodeCount: nodes }),
    ...(quorum === undefined ? {} : { quorum }),
    ...(ttlMs === undefined ? {} : { ttlMs }),
    ...(nodeTimeoutMs === undefined ? {} : { nodeTimeoutMs }),
    ...(driftFactor === undefined ? {} : { driftFactor }),
  };
}

/** The limits that were given. */
export function thresholdsFrom({ maxP99Ms, maxRecoveryMs }: RunOptions): readonly Threshold[] {
  return [
    ...(maxP99Ms === undefined ? [] : [{ name: "max-p99-ms", limitMs: maxP99Ms } as const]),
    ...(maxRecoveryMs === undefined ? [] : [{ name: "max-recovery-ms", limitMs: maxRecoveryMs } as const]),
  ];
}

/** Simple enough for every shell and every file name. */
export function seedText(text: string): string {
  if (/^[\w.-]{1,64}$/.test(text)) return text;
  throw new InvalidArgumentError("Give 1 to 64 letters, digits, dots, dashes or underscores.");
}

function collect(value: string, before: readonly string[]): readonly string[] {
  return [...before, value];
}

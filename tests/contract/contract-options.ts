/** The command line of `npm run contract`. */
import { Command, CommanderError, InvalidArgumentError } from "commander";
import { OTHER_SERVERS } from "../servers/other-servers.ts";
import { UsageError } from "../../harness/lab-error.ts";

export interface ContractOptions {
  /** How many sequences one server answers; 0: none. */
  readonly sequences: number;
  /** In how many sequences the server is killed or loses power. */
  readonly restarts: number;
  readonly seed: number;
  /** The path of a server's program; without it, the laboratory's own. */
  readonly server?: string;
  /** Where in the sequences of that seed a difference was found. */
  readonly path?: string;
}

const SEQUENCES_MAX = 10_000_000;
const SEED_MAX = 2 ** 31 - 1;
const DEFAULTS = { sequences: 10_000, restarts: 50 };

/** @returns `undefined` where help was asked for and printed. @throws UsageError on bad arguments. */
export function parseContractOptions(
  argv: readonly string[],
  { print, drawSeed }: { readonly print: (text: string) => void; readonly drawSeed: () => number },
): ContractOptions | undefined {
  const program = new Command("npm run contract --")
    .description("Compares the simulated node with real Redis, answer by answer.")
    .option("--sequences <count>", "sequences of commands", wholeNumber(SEQUENCES_MAX), DEFAULTS.sequences)
    .option("--restarts <count>", "sequences with restarts", wholeNumber(SEQUENCES_MAX), DEFAULTS.restarts)
    .option("--seed <number>", "what decides the sequences; drawn where none is given", wholeNumber(SEED_MAX))
    .option("--server <program>", `${OTHER_SERVERS.map(({ name }) => name).join(", ")} or a path`, programOf)
    .option("--path <path>", "where a difference was found, as it was printed", fastCheckPath)
    .allowExcessArguments(false)
    .exitOverride()
    .configureOutput({ writeOut: print, writeErr: () => undefined });
  try {
    program.parse([...argv], { from: "user" });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode === 0) return undefined;
    throw new UsageError(`${error.message.replace(/^error: /, "").replace(/\.$/, "")}.`, { cause: error });
  }
  const options = program.opts<Omit<ContractOptions, "seed"> & { readonly seed?: number }>();
  if (options.path !== undefined && options.seed === undefined) {
    throw new UsageError("--path needs the --seed that it was printed with.");
  }
  if (options.path !== undefined && options.sequences > 0 && options.restarts > 0) {
    throw new UsageError("--path belongs to one kind of sequences: set --sequences or --restarts to 0.");
  }
  return { ...options, seed: options.seed ?? drawSeed() };
}

function wholeNumber(max: number): (text: string) => number {
  return (text) => {
    const number = Number(text);
    if (!/^\d+$/.test(text) || number > max) {
      throw new InvalidArgumentError(`It must be a whole number from 0 to ${String(max)}.`);
    }
    return number;
  };
}

function fastCheckPath(text: string): string {
  if (!/^\d+(:\d+)*$/.test(text)) throw new InvalidArgumentError("It must be numbers with colons between.");
  return text;
}

/** A server that the set-up brings, by its name; else it is a path. */
function programOf(text: string): string {
  return OTHER_SERVERS.find(({ name }) => name === text)?.path ?? text;
}

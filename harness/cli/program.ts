/** The command line's grammar. Each command leaves its exit code with `onExit`; commander never ends the process. */
import { Command } from "commander";
import { addCheckOptions, checkCommand, type CheckOptions } from "./check/check-command.ts";
import { addExportOptions, exportCommand, type ExportOptions } from "./check/export-command.ts";
import { UsageError } from "../lab-error.ts";
import { EXIT_MEANINGS } from "../report/exit-meaning.ts";
import { shellWord } from "../runner/replay-command.ts";
import { listCommand, type ListOptions } from "./list-command.ts";
import { exhaustiveCommand } from "./explore/exhaustive-command.ts";
import { exploreCommand } from "./explore/explore-command.ts";
import { exploreServersCommand } from "./explore/servers-command.ts";
import { addExploreOptions, checkFit, type ExploreOptions } from "./explore/explore-options.ts";
import { mergeCommand, type MergeOptions } from "./merge/merge-command.ts";
import { replayCommand } from "./replay/replay-command.ts";
import { runCommand } from "./run/run-command.ts";
import { addReplayOptions, addRunOptions, type ReplayOptions, type RunOptions } from "./run/run-options.ts";
import type { CliWorld } from "./world.ts";

const EXIT_CODE_HELP = [
  "",
  "Exit codes:",
  ...EXIT_MEANINGS.map(([code, meaning]) => `  ${String(code).padStart(3)}  ${meaning}`),
  "  Where several apply the first of 130, 64, 1, 70, 5, 3, 2 wins.",
].join("\n");

const RUN_EXAMPLES = `
Examples:
  redlock-lab run                                  the whole catalogue, simulated
  redlock-lab run --backend local                  all that real servers can show
  redlock-lab run S01                              one story in all its variants
  redlock-lab run kleppmann-pause --variant fenced
  redlock-lab run S14 S16 S07 --repeat 5 --junit junit.xml
  redlock-lab run S14 --nodes 7 --ttl-ms 2000
  redlock-lab run --strategy mutant:plain-del
  redlock-lab run ./my-story.ts --json > result.json`;

/** What every command is added with. */
interface Surroundings {
  readonly world: CliWorld;
  readonly onExit: (code: number) => void;
  /** As it was typed, for the report. */
  readonly commandLine: string;
}

const EXPLORE_EXAMPLES = `
Examples:
  redlock-lab explore --schedules 100000                 nothing may be found inside the envelope
  redlock-lab explore --allow clock-jump                 lift one assumption, and see what follows
  redlock-lab explore --strategy mutant:no-undo          put another way to lock on trial
  redlock-lab explore --exhaustive --faults 1            every choice in a small world
  redlock-lab explore --backend local --schedules 20     the same search on real servers
  redlock-lab explore --shard 2/8 --out part-2           one machine of eight`;

export function createProgram(
  argv: readonly string[],
  { world, onExit }: Pick<Surroundings, "world" | "onExit">,
): Command {
  const commandLine = ["redlock-lab", ...argv].map(shellWord).join(" ");
  const program = new Command("redlock-lab")
    .description(
      "Plays failure stories on a Redis lock and says with evidence whether mutual exclusion held.",
    )
    .exitOverride()
    .configureOutput({
      writeOut: world.out.write,
      writeErr: world.err.write,
      outputError: (text, write) => write(text.replace(/^error: /, "redlock-lab: ")),
    })
    .version(world.version, "--version", "print the version")
    .addHelpText("after", EXIT_CODE_HELP);
  for (const add of [addList, addRun, addExplore, addMerge, addReplay, addCheck, addExport, addDoctor])
    add(program, { world, onExit, commandLine });
  return program;
}

function addList(program: Command, { world }: Surroundings): void {
  program
    .command("list")
    .description("list the stories, their variants and what is expected of each")
    .option("--strategies", "list the ways to lock that can be put on trial instead")
    .option("--json", "print JSON")
    .action((options: ListOptions) => listCommand(options, world));
}

function addRun(program: Command, { world, onExit, commandLine }: Surroundings): void {
  addRunOptions(program.command("run"))
    .description("play stories: ids, aliases or files of your own; all of them where none is named")
    .argument("[scenario...]", "S01, kleppmann-pause, ./my-story.ts")
    .addHelpText("after", `${RUN_EXAMPLES}\n${EXIT_CODE_HELP}`)
    .action(async (names: readonly string[], options: RunOptions) => {
      onExit(await runCommand({ names, options, command: commandLine }, world));
    });
}

function addExplore(program: Command, { world, onExit, commandLine }: Surroundings): void {
  addExploreOptions(program.command("explore"))
    .description("search the simulation for schedules that show what must not be, and shrink the first")
    .addHelpText("after", `${EXPLORE_EXAMPLES}\n${EXIT_CODE_HELP}`)
    .action(async (options: ExploreOptions) => {
      checkFit(options);
      onExit(await explorationFor(options)({ options, command: commandLine }, world));
    });
}

function explorationFor({ exhaustive, backend }: ExploreOptions): typeof exploreCommand {
  if (backend === "simulated") return exhaustive === true ? exhaustiveCommand : exploreCommand;
  if (exhaustive === true)
    throw new UsageError("--exhaustive is for the simulation: no server can be walked.");
  return exploreServersCommand;
}

function addMerge(program: Command, { world, onExit, commandLine }: Surroundings): void {
  program
    .command("merge")
    .description("join what the shards of an exploration have found")
    .argument("<folder...>", "what `explore --shard i/n --out <folder>` has written, of all n")
    .option("--out <folder>", "where the joined report goes (default: redlock-lab-results/<time>)")
    .option("--json", "print only JSON on standard output")
    .addHelpText("after", EXIT_CODE_HELP)
    .action((paths: readonly string[], options: MergeOptions) => {
      onExit(mergeCommand({ paths, options, command: commandLine }, world));
    });
}

function addReplay(program: Command, { world, onExit, commandLine }: Surroundings): void {
  addReplayOptions(program.command("replay"))
    .description("play a schedule that was written down: a schedule.json, or the folder of a run")
    .argument("<file>", "redlock-lab-results/<time>/S14-plain-1")
    .addHelpText("after", EXIT_CODE_HELP)
    .action(async (file: string, options: ReplayOptions) => {
      onExit(await replayCommand({ file, options, command: commandLine }, world));
    });
}

function addCheck(program: Command, { world, onExit, commandLine }: Surroundings): void {
  addCheckOptions(program.command("check"))
    .description("judge stored histories again, also those that a service of your own recorded")
    .argument("<file...>", "a history.jsonl (docs/history-format.md), or the folder of a run")
    .addHelpText("after", EXIT_CODE_HELP)
    .action((files: readonly string[], options: CheckOptions) => {
      onExit(checkCommand({ files, options, command: commandLine }, world));
    });
}

function addExport(program: Command, { world }: Surroundings): void {
  addExportOptions(program.command("export"))
    .description("write a stored history down as another judge reads it")
    .argument("<file>", "a history.jsonl, or the folder of a run")
    .action((file: string, options: ExportOptions) => exportCommand(file, options, world));
}

function addDoctor(program: Command, { world, onExit }: Surroundings): void {
  program
    .command("doctor")
    .description("say what is there, what is missing, and what brings it")
    .option("--json", "print it as JSON", false)
    .action(async ({ json }: { readonly json: boolean }) => {
      const { text, exitCode } = await world.laboratory.runDoctor({ json });
      world.out.write(text.endsWith("\n") ? text : `${text}\n`);
      onExit(exitCode);
    });
}

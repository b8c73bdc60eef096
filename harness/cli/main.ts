/** The command line from the arguments to the exit code. Whatever goes wrong is one sentence. */
import { CommanderError } from "commander";
import { EXIT_CODES } from "../report/exit-code.ts";
import { failureFrom } from "./failure.ts";
import { processWorld } from "./process-world.ts";
import { createProgram } from "./program.ts";
import type { CliWorld } from "./world.ts";

/**
 * Never rejects.
 *
 * @param argv without the program and the script.
 * @returns the exit code.
 */
export async function main(argv: readonly string[], world: CliWorld = processWorld()): Promise<number> {
  let exitCode: number = EXIT_CODES.ok;
  const onExit = (code: number): void => {
    exitCode = code;
  };
  try {
    await createProgram(argv, { world, onExit }).parseAsync(argv, { from: "user" });
    return exitCode;
  } catch (cause) {
    return explainFailure(cause, world);
  }
}

function explainFailure(cause: unknown, { err, env }: CliWorld): number {
  // Commander has said its sentence already; help and version are no mistakes.
  if (cause instanceof CommanderError) return cause.exitCode === 0 ? EXIT_CODES.ok : EXIT_CODES.usage;
  const { sentence, exitCode } = failureFrom(cause);
  err.write(`redlock-lab: ${sentence}\n`);
  if (wantsStack(env) && cause instanceof Error) err.write(`${cause.stack ?? ""}\n`);
  return exitCode;
}

function wantsStack(env: CliWorld["env"]): boolean {
  return (env["DEBUG"] ?? "").split(",").includes("redlock-lab");
}

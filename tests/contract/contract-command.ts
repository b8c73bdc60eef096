/**
 * Compares the simulated node with real Redis for as long as it is told to. Exit codes: 0 no difference, 1 a
 * difference, 64 bad arguments, 70 something is missing on this machine.
 */
import { basename } from "node:path";
import fc from "fast-check";
import { failureFrom } from "../../harness/cli/failure.ts";
import { EXIT_CODES } from "../../harness/report/exit-code.ts";
import type { Persistence } from "../../harness/scenario/lab-settings.ts";
import { type Contract, DifferenceError, openContract } from "./contract.ts";
import { type ContractOptions, parseContractOptions } from "./contract-options.ts";
import { openContractRig } from "./contract-rig.ts";
import type { ContractSide } from "./contract-step.ts";

export interface ContractWorld {
  readonly print: (text: string) => void;
  readonly complain: (text: string) => void;
  readonly drawSeed: () => number;
  readonly simulatedSide: (persistence: Persistence) => ContractSide;
}

type Kind = "sequences" | "restarts";

/** Never rejects. @returns the exit code. */
export async function contractCommand(argv: readonly string[], world: ContractWorld): Promise<number> {
  try {
    const options = parseContractOptions(argv, world);
    return options === undefined ? EXIT_CODES.ok : await playContract(options, world);
  } catch (error) {
    const { sentence, exitCode } = failureFrom(error);
    world.complain(`contract: ${sentence}\n`);
    return exitCode;
  }
}

async function playContract(options: ContractOptions, world: ContractWorld): Promise<number> {
  const rig = await openContractRig(options.server);
  try {
    world.print(
      `the simulated node against ${basename(options.server ?? "redis-server")} ${rig.redisVersion}, seed ${String(options.seed)}\n`,
    );
    const contract = await openContract(rig, world.simulatedSide);
    try {
      const isKept =
        (await playKind("sequences", contract, { options, world })) &&
        (await playKind("restarts", contract, { options, world }));
      return isKept ? EXIT_CODES.ok : EXIT_CODES.safety;
    } finally {
      await contract.close();
    }
  } finally {
    await rig.close();
  }
}

/** @returns whether all answers were the same. */
async function playKind(
  kind: Kind,
  contract: Contract,
  { options, world }: { readonly options: ContractOptions; readonly world: ContractWorld },
): Promise<boolean> {
  const numRuns = options[kind];
  if (numRuns === 0) return true;
  const startedMs = performance.now();
  const comparedBefore = contract.comparedCount();
  const { seed, path } = options;
  const parameters = { numRuns, seed, ...(path === undefined ? {} : { path }) };
  const details =
    kind === "sequences"
      ? await fc.check(contract.commands, parameters)
      : await fc.check(contract.restarts, parameters);
  if (details.failed) {
    world.print(explain(kind, details));
    return false;
  }
  const tookS = (performance.now() - startedMs) / 1_000;
  world.print(
    [
      `${kind}: ${String(details.numRuns)} played`,
      `${String(contract.comparedCount() - comparedBefore)} answers compared`,
      `${(details.numRuns / tookS).toFixed(0)} a second`,
      "no difference\n",
    ].join(", "),
  );
  return true;
}

/** @throws what broke off the comparison where that was no difference. */
function explain(
  kind: Kind,
  details: Pick<
    fc.RunDetails<unknown>,
    "errorInstance" | "numRuns" | "numShrinks" | "seed" | "counterexamplePath"
  >,
): string {
  const { errorInstance, numRuns, numShrinks, seed, counterexamplePath } = details;
  if (!(errorInstance instanceof DifferenceError)) throw errorInstance;
  const other = kind === "sequences" ? "--restarts 0" : "--sequences 0";
  return [
    `${kind}: a difference in number ${String(numRuns)}, shrunk ${String(numShrinks)} times:`,
    errorInstance.message,
    "to repeat it:",
    `  npm run contract -- ${other} --${kind} 1 --seed ${String(seed)} --path ${counterexamplePath ?? "0"}`,
    "",
  ].join("\n");
}

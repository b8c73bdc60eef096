/** Plays one sequence on both sides and tells where their answers part. */
import { isDeepStrictEqual } from "node:util";
import type { ContractSide, ContractStep, Seen } from "./contract-step.ts";

export interface SidePair {
  readonly simulated: ContractSide;
  readonly real: ContractSide;
}

export interface Comparison {
  readonly comparedCount: number;
  /** The steps up to the first difference and both answers, one line each; `undefined`: there is none. */
  readonly difference: string | undefined;
}

const LOOK_AT_THE_END = "look at all keys in the end";

export async function findDifference(pair: SidePair, steps: readonly ContractStep[]): Promise<Comparison> {
  const simulated = await pair.simulated.play(steps);
  const real = await pair.real.play(steps);
  const at = real.findIndex((seen, index) => !isDeepStrictEqual(seen, simulated[index]));
  if (at === -1 && simulated.length === real.length) {
    return { comparedCount: real.length, difference: undefined };
  }
  const lines = real.slice(0, at + 1).map((seen, index) => {
    const step = index < steps.length ? JSON.stringify(steps[index]) : LOOK_AT_THE_END;
    return index < at ? `  ${step} -> ${seenText(seen)}` : `  ${step}`;
  });
  return {
    comparedCount: real.length,
    difference: [
      ...lines,
      `    simulated: ${seenText(simulated[at])}`,
      `    real:      ${seenText(real[at])}`,
    ].join("\n"),
  };
}

function seenText(seen: Seen | undefined): string {
  if (seen === undefined) return "nothing";
  return JSON.stringify(seen.kind === "answer" ? seen.answer : seen.keys);
}

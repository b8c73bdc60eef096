/** The simulated backend: needs nothing but Node.js, plays every fault, and gives the same history for the same plan. */
import type { Backend } from "../backend.ts";
import { playSimulatedRun } from "./simulated-run.ts";

export function createSimulatedBackend(): Backend {
  return {
    name: "simulated",
    isDeterministic: true,
    whyNot: () => undefined,
    // What is thrown has to come as a rejection, like every backend's failures.
    play: (plan) => new Promise((resolve) => resolve(playSimulatedRun(plan))),
  };
}

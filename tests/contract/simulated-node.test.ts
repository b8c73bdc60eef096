/**
 * The simulated node answers as real Redis does: the same random sequences go to both, while both clocks stand and
 * only a move lets time pass, and every answer is compared. `npm run contract` plays many more of them.
 */
import { afterAll, beforeAll, describe, test } from "vitest";
import { fc } from "@fast-check/vitest";
import { type Contract, openContract } from "./contract.ts";
import { type ContractRig, openContractRig } from "./contract-rig.ts";
import { simulatedSide } from "./simulated-side.ts";

const SEQUENCES = 1_000;
const RESTART_SEQUENCES = 60;

let rig: ContractRig;
let contract: Contract;
beforeAll(async () => {
  rig = await openContractRig();
  contract = await openContract(rig, simulatedSide);
});
afterAll(async () => {
  await contract.close();
  await rig.close();
});

describe("the simulated node and real Redis", () => {
  test("answer the same to the same commands at the same times", () =>
    fc.assert(contract.commands, { numRuns: SEQUENCES }));

  test("keep the same over kills and losses of power", () =>
    fc.assert(contract.restarts, { numRuns: RESTART_SEQUENCES }));
});

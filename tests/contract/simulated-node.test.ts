/**
 * The simulated node answers as real Redis does: the same random sequences go to both, while both clocks stand and
 * only a move lets time pass, and every answer is compared. `npm run contract` plays many more of them.
 */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { fc } from "@fast-check/vitest";
import { type ContractRig, openContractRig } from "./contract-rig.ts";
import { findDifference } from "./find-difference.ts";
import { realSide, restartedSide } from "./real-side.ts";
import { commandSequence, restartSequence } from "./sequence-arbitrary.ts";
import { simulatedSide } from "./simulated-side.ts";
import { StandingServer } from "./standing-server.ts";

const SEQUENCES = 400;
const RESTART_SEQUENCES = 12;

let rig: ContractRig;
beforeAll(async () => {
  rig = await openContractRig();
});
afterAll(() => rig.close());

describe("the simulated node and real Redis", () => {
  test("answer the same to the same commands at the same times", async () => {
    const server = await StandingServer.start(rig.place, { persistence: "none", name: "commands" });
    const pair = { simulated: simulatedSide("none"), real: realSide(server) };
    try {
      await fc.assert(
        fc.asyncProperty(commandSequence, async (steps) => {
          expect((await findDifference(pair, steps)).difference).toBeUndefined();
        }),
        { numRuns: SEQUENCES },
      );
    } finally {
      await server.stop();
    }
  });

  test.each(["none", "aof-everysec", "aof-always"] as const)(
    "keep the same over restarts under %s",
    async (persistence) => {
      const pair = { simulated: simulatedSide(persistence), real: restartedSide(rig.place, persistence) };
      await fc.assert(
        fc.asyncProperty(restartSequence, async (steps) => {
          expect((await findDifference(pair, steps)).difference).toBeUndefined();
        }),
        { numRuns: RESTART_SEQUENCES },
      );
    },
  );
});

/**
 * The simulated node answers as real Redis does: the same random sequences go to both, while both clocks stand and
 * only a move lets time pass, and every answer is compared. `npm run contract` plays many more of them.
 */
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { fc } from "@fast-check/vitest";
import { type Contract, openContract } from "./contract.ts";
import { type ContractRig, openContractRig } from "./contract-rig.ts";
import type { ContractStep } from "./contract-step.ts";
import { isExactOnTheEdge } from "./off-the-edge.ts";
import { simulatedSide } from "./simulated-side.ts";
import { StandingServer } from "./standing-server.ts";

/** On Redis 7, and on other servers. */
const SEQUENCES = { exact: 600, other: 150 };
const RESTART_SEQUENCES = { exact: 60, other: 12 };

const number = (value: number) => ({ kind: "number", value });

let rig: ContractRig;
let contract: Contract;
const countOf = ({ exact, other }: { readonly exact: number; readonly other: number }): number =>
  isExactOnTheEdge(rig.redisVersion) ? exact : other;
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
    fc.assert(contract.commands, { numRuns: countOf(SEQUENCES) }));

  test("keep the same over kills and losses of power", () =>
    fc.assert(contract.restarts, { numRuns: countOf(RESTART_SEQUENCES) }));

  test("lose what has expired between a step and the step back, though nobody asked for it", async () => {
    const steps: readonly ContractStep[] = [
      { kind: "write", resource: "r1", value: "v1", ttlMs: 10 },
      { kind: "write", resource: "r2", value: "v1", ttlMs: 10_000 },
      { kind: "jump-clock", byMs: 1_000 },
      { kind: "jump-clock", byMs: -1_000 },
    ];
    const expected = [{ resource: "r2", value: "v1", expiresInMs: 10_000 }];
    expect((await simulatedSide("none").play(steps)).at(-1)).toEqual({ kind: "keys", keys: expected });

    // Not the contract's real side: that one looks at the keys after every move.
    const server = await StandingServer.start(rig.places.restarted, { persistence: "none", name: "unasked" });
    try {
      await server.ask([
        ["SET", "r1", "v1", "PX", "10"],
        ["SET", "r2", "v1", "PX", "10000"],
      ]);
      server.clock.jump(1_000);
      await vi.waitFor(async () => expect(await server.ask([["DBSIZE"]])).toEqual([number(1)]));
      server.clock.jump(-1_000);
      await server.settleClock();
      const values = await server.ask(["r1", "r2"].map((resource) => ["PTTL", resource]));
      expect(values).toEqual([number(-2), number(10_000)]);
    } finally {
      await server.stop();
    }
  });
});

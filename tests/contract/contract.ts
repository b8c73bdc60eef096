/** The contract as two properties, for the tests and for `npm run contract`. */
import fc from "fast-check";
import type { Persistence } from "../../harness/scenario/lab-settings.ts";
import type { ContractRig } from "./contract-rig.ts";
import type { ContractSide, ContractStep } from "./contract-step.ts";
import { findDifference, type SidePair } from "./find-difference.ts";
import { isExactOnTheEdge, offTheEdge } from "./off-the-edge.ts";
import { realSide, restartedSide } from "./real-side.ts";
import { commandSequence, restartSequence } from "./sequence-arbitrary.ts";
import { StandingServer } from "./standing-server.ts";

/** Both sides have answered, and not the same. */
export class DifferenceError extends Error {
  override readonly name = "DifferenceError";
}

type Steps = readonly ContractStep[];

export interface Contract {
  /** One server that keeps nothing answers all sequences. */
  readonly commands: fc.IAsyncProperty<[Steps]>;
  /** Servers of every persistence mode that are killed and lose power; some fifty times as slow. */
  readonly restarts: fc.IAsyncProperty<[Persistence, Steps]>;
  /** Answers and looks at all keys that have been compared so far. */
  readonly comparedCount: () => number;
  readonly close: () => Promise<void>;
}

const PERSISTENCE_MODES: readonly Persistence[] = ["none", "aof-everysec", "aof-always"];

/** Most can differ where syncs run beside the commands; when they do, is compared with Redis 7 alone. */
const persistenceOf = (isExact: boolean): fc.Arbitrary<Persistence> =>
  isExact
    ? fc.oneof(
        { weight: 2, arbitrary: fc.constant<Persistence>("aof-everysec") },
        { weight: 1, arbitrary: fc.constantFrom(...PERSISTENCE_MODES) },
      )
    : fc.constantFrom("none", "aof-always");

export async function openContract(
  { places, redisVersion }: ContractRig,
  simulatedSide: (persistence: Persistence) => ContractSide,
): Promise<Contract> {
  const server = await StandingServer.start(places.lasting, { persistence: "none", name: "commands" });
  const lasting: SidePair = { simulated: simulatedSide("none"), real: realSide(server) };
  const restarted = new Map(
    PERSISTENCE_MODES.map((mode): [Persistence, SidePair] => [
      mode,
      { simulated: simulatedSide(mode), real: restartedSide(places.restarted, mode) },
    ]),
  );
  const isExact = isExactOnTheEdge(redisVersion);
  const played = isExact ? (steps: Steps): Steps => steps : offTheEdge;
  let comparedCount = 0;
  const compare = async (pair: SidePair | undefined, steps: Steps, heading = ""): Promise<void> => {
    if (pair === undefined) throw new Error("there are no sides of that kind");
    const comparison = await findDifference(pair, played(steps));
    comparedCount += comparison.comparedCount;
    if (comparison.difference !== undefined) {
      throw new DifferenceError(`${heading}${comparison.difference}`);
    }
  };
  return {
    commands: fc.asyncProperty(commandSequence, (steps) => compare(lasting, steps)),
    restarts: fc.asyncProperty(persistenceOf(isExact), restartSequence, (mode, steps) =>
      compare(restarted.get(mode), steps, `  under ${mode}:\n`),
    ),
    comparedCount: () => comparedCount,
    close: () => server.stop(),
  };
}

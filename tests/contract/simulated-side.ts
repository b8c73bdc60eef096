/** The simulated node as one side of the contract. */
import { SimulatedNode } from "../../harness/backends/simulated/node/simulated-node.ts";
import type { Persistence } from "../../harness/scenario/lab-settings.ts";
import {
  CLOCK_START_MS,
  type ClockMove,
  type ContractSide,
  type ContractStep,
  isClockMove,
  KEYS,
  type Restart,
  type Seen,
} from "./contract-step.ts";
import { ServerIdentities } from "./server-identity.ts";

export function simulatedSide(persistence: Persistence): ContractSide {
  return { play: async (steps) => new Play(persistence).run(steps) };
}

class Play {
  readonly #node: SimulatedNode;
  readonly #identities = new ServerIdentities();
  #nowMs = 0;

  constructor(persistence: Persistence) {
    this.#node = new SimulatedNode({
      name: "A",
      persistence,
      nowMs: () => this.#nowMs,
      record: () => undefined,
      wallStartMs: CLOCK_START_MS,
    });
    // The real one has just been started too, and takes what it finds for synced.
    this.#node.goDown("killed");
    this.#node.comeUp();
  }

  run(steps: readonly ContractStep[]): readonly Seen[] {
    return [...steps.map((step) => this.#take(step)), this.#look()];
  }

  #take(step: ContractStep): Seen {
    if (step.kind === "restart") return this.#restart(step);
    if (isClockMove(step)) {
      this.#move(step);
      return this.#look();
    }
    if (step.kind === "hold-sync") {
      this.#node.holdSync(step.isHeld);
      return this.#look();
    }
    const answer = this.#node.answer(step);
    const isInfo = step.kind === "info" && typeof answer === "string";
    return { kind: "answer", answer: isInfo ? this.#identities.describe(answer) : answer };
  }

  #restart({ cause, whileDown }: Restart): Seen {
    this.#node.goDown(cause);
    for (const move of whileDown) this.#move(move);
    this.#node.comeUp();
    return this.#look();
  }

  #move(move: ClockMove): void {
    switch (move.kind) {
      case "pass":
        this.#nowMs += move.durationMs;
        return;
      case "jump-clock":
        this.#node.jumpClock(move.byMs);
        return;
      case "set-clock-rate":
        this.#node.setClockRate(move.rate);
        return;
    }
  }

  #look(): Seen {
    const found = this.#node.findKeys();
    return {
      kind: "keys",
      keys: KEYS.flatMap((resource) => found.filter((key) => key.resource === resource)),
    };
  }
}

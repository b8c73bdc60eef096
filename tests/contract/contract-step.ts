/**
 * What the contract between the simulated node and the real one is made of: commands and their answers, moves of
 * the node's clock, ends of its process. Data, so that a sequence can be drawn, shrunk and printed.
 */
import { GUARD_KEY, QUARANTINE_KEY } from "../../src/core/guard-record.ts";
import type { NodeAnswer, NodeCommand } from "../../harness/backends/simulated/node/node-command.ts";

/** Time passes only by these: between two of them both clocks stand. */
export type ClockMove =
  /** True time goes on, and the clock with it at its rate. */
  | { readonly kind: "pass"; readonly durationMs: number }
  | { readonly kind: "jump-clock"; readonly byMs: number }
  | { readonly kind: "set-clock-rate"; readonly rate: number };

/** The process is killed, the clock moves while it is down, and it is started again. */
export interface Restart {
  readonly kind: "restart";
  readonly cause: "killed" | "power-loss";
  readonly whileDown: readonly ClockMove[];
}

/** While held, syncs of the append-only file report success and make nothing durable. */
export interface HoldSync {
  readonly kind: "hold-sync";
  readonly isHeld: boolean;
}

export type ContractStep = NodeCommand | ClockMove | HoldSync | Restart;

/** What locks of a sequence are called. */
export const RESOURCES = ["r1", "r2", "r3"] as const;

/** All keys that a sequence may touch. */
export const KEYS = [...RESOURCES, GUARD_KEY, QUARANTINE_KEY] as const;

/** What the clock shows when a sequence begins; far from zero, so that it may go back. */
export const CLOCK_START_MS = 1_000_000_000;

export interface SeenKey {
  readonly resource: string;
  readonly value: string;
  /** `null`: no expiry. */
  readonly expiresInMs: number | null;
}

/** A command's own answer, or all keys alive after everything else. */
export type Seen =
  | { readonly kind: "answer"; readonly answer: NodeAnswer }
  | { readonly kind: "keys"; readonly keys: readonly SeenKey[] };

/** One of the two nodes. */
export interface ContractSide {
  /** Begins anew, plays the steps, and looks at all keys in the end. @returns one more than there are steps. */
  play(steps: readonly ContractStep[]): Promise<readonly Seen[]>;
}

export function isClockMove(step: ContractStep): step is ClockMove {
  return step.kind === "pass" || step.kind === "jump-clock" || step.kind === "set-clock-rate";
}

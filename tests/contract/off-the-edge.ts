/**
 * Sequences for servers on which the very millisecond in which a key ends is not fixed: Redis 8 lets it go in the
 * background a millisecond before it denies it to commands, and Valkey goes on by a clock of its own for up to a
 * millisecond before it looks at the machine's. Lifetimes become odd and moves of the clock even, so that no key is
 * ever looked at in that millisecond; the clock shows whole ones and is never asked for less.
 */
import type { NodeCommand } from "../../harness/backends/simulated/node/node-command.ts";
import type { ClockMove, ContractStep, Restart } from "./contract-step.ts";

const FIRST_INEXACT_MAJOR = 8;

/** @param version as the server tells it. */
export function isExactOnTheEdge(version: string): boolean {
  return Number.parseInt(version, 10) < FIRST_INEXACT_MAJOR;
}

export function offTheEdge(steps: readonly ContractStep[]): readonly ContractStep[] {
  return steps.map(stepOff);
}

function stepOff(step: ContractStep): ContractStep {
  switch (step.kind) {
    case "pass":
    case "jump-clock":
    case "set-clock-rate":
      return moveOff(step);
    case "restart":
      return restartOff(step);
    case "hold-sync":
      return step;
    default:
      return commandOff(step);
  }
}

const restartOff = (restart: Restart): Restart => ({ ...restart, whileDown: restart.whileDown.map(moveOff) });

function moveOff(move: ClockMove): ClockMove {
  switch (move.kind) {
    case "pass":
      return { ...move, durationMs: even(move.durationMs) };
    case "jump-clock":
      return { ...move, byMs: even(move.byMs) };
    case "set-clock-rate":
      return { kind: "pass", durationMs: 2 };
  }
}

function commandOff(command: NodeCommand): NodeCommand {
  switch (command.kind) {
    case "time":
      return { kind: "info" };
    case "call-cached":
      return { ...command, script: withOddLifetimes(command.script) };
    default:
      return withOddLifetimes(command);
  }
}

function withOddLifetimes<Command extends object>(command: Command): Command {
  const changes: { ttlMs?: number; guard?: object } = {};
  if ("ttlMs" in command && typeof command.ttlMs === "number") changes.ttlMs = odd(command.ttlMs);
  if ("guard" in command && typeof command.guard === "object" && command.guard !== null) {
    changes.guard = withOddLongest(command.guard);
  }
  return { ...command, ...changes };
}

function withOddLongest(guard: object): object {
  if (!("longestLifetimeMs" in guard) || typeof guard.longestLifetimeMs !== "number") return guard;
  return { ...guard, longestLifetimeMs: odd(guard.longestLifetimeMs) };
}

const odd = (ms: number): number => (ms % 2 === 0 ? ms + 1 : ms);
const even = (ms: number): number => (ms % 2 === 0 ? ms : ms + 1);

/** Mutants of the amnesia guard (design rule 8). */
import { bend, type Instead, perform } from "../lab-effect.ts";
import type { Strategy } from "../strategy.ts";

const byUptime: Instead = (effect) => {
  if (effect.kind !== "send") return undefined;
  const { command } = effect;
  if (command.kind !== "acquire" && command.kind !== "extend") return undefined;
  return perform({ ...effect, command: { kind: "guarded-by-uptime", command } });
};

const UPTIME_QUARANTINE: Strategy = {
  name: "mutant:uptime-quarantine",
  summary:
    "A node that may have forgotten is out until its uptime, in whole seconds, is the longest lifetime.",
  acquire: ({ shipped, rules }) => bend(shipped(rules), byUptime),
  extend: ({ shipped, rules }) => bend(shipped(rules), byUptime),
};

export const GUARD_MUTANTS: readonly Strategy[] = [UPTIME_QUARANTINE];

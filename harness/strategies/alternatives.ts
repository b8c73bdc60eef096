/** Locks on one master: what Redlock is weighed against. */
import type { LabSettings } from "../scenario/lab-settings.ts";
import { bend, perform } from "./lab-effect.ts";
import type { Strategy } from "./strategy.ts";

export const REDLOCK: Strategy = {
  name: "redlock",
  summary: "The coordinator as it is shipped.",
};

const ON_ONE_MASTER: Pick<Strategy, "settings" | "rules"> = {
  settings: (told) => ({ ...told, nodeCount: 1, quorum: 1 }),
  rules: (rules) => ({ ...rules, nodeNames: rules.nodeNames.slice(0, 1), quorum: 1 }),
};

function withReplicas(told: LabSettings): LabSettings {
  return { ...told, nodeCount: 1, quorum: 1, replicaCount: Math.max(1, told.replicaCount) };
}

const SINGLE: Strategy = {
  name: "single",
  summary: "One master: SET NX with an expiry on the first node only.",
  ...ON_ONE_MASTER,
};

const REPLICATED: Strategy = {
  name: "replicated",
  summary: "One master with asynchronous replicas: nobody waits for them.",
  ...ON_ONE_MASTER,
  settings: withReplicas,
};

const WAITED_FOR = 1;

const REPLICATED_WAIT: Strategy = {
  name: "replicated-wait",
  summary: "One master with replicas: a lock counts when WAIT has seen one of them acknowledge it.",
  ...ON_ONE_MASTER,
  settings: withReplicas,
  acquire: ({ shipped, rules }) =>
    bend(shipped(rules), (effect) => {
      if (effect.kind !== "send" || effect.command.kind !== "acquire") return undefined;
      const command = { ...effect.command, kind: "acquire-replicated", replicaCount: WAITED_FOR } as const;
      return perform({ ...effect, command });
    }),
};

export const ALTERNATIVES: readonly Strategy[] = [SINGLE, REPLICATED, REPLICATED_WAIT];

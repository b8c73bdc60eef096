import { describe, expect, test } from "vitest";
import { resolvePlan } from "../scenario/resolve-plan.ts";
import type { RunPlan, Story } from "../scenario/run-plan.ts";
import { at, planWorker } from "../scenario/story-parts.ts";
import type { WorkerPlan } from "../workload/worker-plan.ts";
import type { Fault } from "./fault.ts";
import { LOCAL_LIMITS, whyNotOnLocal } from "./local-capability.ts";

/** Its nodes have a replica each, so that every fault can be planned. */
function planWith(faults: readonly Fault[], worker: Partial<WorkerPlan> = {}): RunPlan {
  const story: Story = {
    workers: [],
    faults: faults.map((fault, index) => ({ id: `fault-${index}`, when: at(0), fault })),
    staging: [],
    demands: { contention: false, events: [] },
    limitMs: 1000,
  };
  const variant = { name: "plain", summary: "p", expect: {} };
  return resolvePlan({
    scenario: {
      ...{ id: "T01", title: "t", summary: "t", variants: [variant] },
      settings: { replicaCount: 1 },
      story: (settings) => ({
        ...story,
        workers: [planWorker("W1", settings, { startWhen: at(0), ...worker })],
      }),
    },
    ...{ variant, overrides: {}, seed: "1" },
  });
}

/** As `planWith`, without what makes every plan unplayable here. */
const masters = (plan: RunPlan): RunPlan => ({ ...plan, settings: { ...plan.settings, replicaCount: 0 } });
const whyNot = (faults: readonly Fault[], worker: Partial<WorkerPlan> = {}): string | undefined =>
  whyNotOnLocal(masters(planWith(faults, worker)));

const PAUSE: Fault = { kind: "pause-worker", worker: "W1", forMs: 10 };
const BARE = masters(planWith([]));

const WORKERS_OF_A_HERD = Array.from({ length: 10 }, (_, index) =>
  planWorker(`W${index + 1}`, BARE.settings, { startWhen: at(0) }),
);

/** A plan for each limit that asks for nothing else. */
const ASKING_FOR: Readonly<Record<string, RunPlan>> = {
  "a fault right before an effect": {
    ...BARE,
    faults: [{ id: "pause", when: { kind: "before-effect", worker: "W1", effect: "send" }, fault: PAUSE }],
  },
  "timers or replies first after a pause": masters(planWith([{ ...PAUSE, resumeWith: "timers" }])),
  "a fate for each message": { ...BARE, messages: { promptMs: 2, lateMs: 100, unprompt: [] } },
  "a second hand that stands somewhere at the start": { ...BARE, clockPhaseMs: 900 },
  "another strategy than redlock": { ...BARE, strategy: "mutant:plain-del" },
  "more than nine workers": { ...BARE, workers: WORKERS_OF_A_HERD },
  replicas: planWith([]),
  "another token source than one counter": {
    ...BARE,
    settings: { ...BARE.settings, tokenSource: "node-counters" },
  },
  "less jitter": { ...BARE, settings: { ...BARE.settings, retryJitter: 0.5 } },
  renewal: masters(planWith([], { renews: true })),
  "a look at a replica": masters(planWith([], { checksReplica: true })),
};

describe("whyNotOnLocal", () => {
  test("says nothing of a plan that real servers can play", () => {
    expect(whyNot([])).toBeUndefined();
    expect(
      whyNot([
        { kind: "pause-worker", worker: "W1", forMs: 10 },
        { kind: "reset-link", workers: ["W1"], nodes: ["A"] },
        { kind: "flush-node", node: "A" },
      ]),
    ).toBeUndefined();
  });

  test("names the fault and what stands against it", () => {
    expect(whyNot([{ kind: "suspend-worker", worker: "W1", forMs: 10 }])).toBe(
      "it needs suspend-worker, but all real workers share this machine and its clocks.",
    );
  });

  test("is one sentence, whatever is asked for, and names each thing once", () => {
    const plan = planWith(
      [
        { kind: "hold-replication", node: "A", replica: 1 },
        { kind: "fail-over", node: "A" },
        { kind: "hold-replication", node: "B", replica: 1 },
      ],
      { renews: true },
    );

    expect(whyNotOnLocal(plan)).toBe(
      "it needs hold-replication and fail-over and replicas, " +
        "but the lab starts real masters without replicas; " +
        "it needs renewal, but the shipped lock does not renew itself yet.",
    );
  });

  test.each(LOCAL_LIMITS.map(({ what, obstacle }) => [what, obstacle]))("knows of %s", (what, obstacle) => {
    const plan = ASKING_FOR[what];
    if (plan === undefined) throw new Error(`no plan asks for ${what}`);
    expect(whyNotOnLocal(plan)).toBe(`it needs ${what}, but ${obstacle}.`);
  });
});

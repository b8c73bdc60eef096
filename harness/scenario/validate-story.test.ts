import { describe, expect, test } from "vitest";
import type { Fault, FaultKind, PlannedFault } from "../faults/fault.ts";
import { UsageError } from "../lab-error.ts";
import { DEFAULT_SETTINGS } from "./lab-settings.ts";
import type { Story } from "./run-plan.ts";
import { after, at, planInTurn, planWorker, whenAllHold } from "./story-parts.ts";
import { validateStory } from "./validate-story.ts";

const worker = (id: string, startWhen = at(0)) => planWorker(id, DEFAULT_SETTINGS, { startWhen });
const jump: PlannedFault = { id: "jump", when: at(0), fault: { kind: "jump-clock", node: "C", byMs: 2000 } };
const story: Story = {
  workers: [worker("W1"), worker("W2")],
  faults: [jump],
  staging: [],
  demands: { contention: true, events: [] },
  limitMs: 5000,
};
const check = (change: Partial<Story>): Story =>
  validateStory({ ...story, ...change }, "S07", { nodeCount: 5, replicaCount: 2 });

const EVERY_FAULT: { readonly [Kind in FaultKind]: Extract<Fault, { kind: Kind }> } = {
  "pause-worker": { kind: "pause-worker", worker: "W1", forMs: 10 },
  "crash-worker": { kind: "crash-worker", worker: "W1" },
  "cut-link": { kind: "cut-link", workers: ["W1"], nodes: ["A"], how: "lose", direction: "reply", forMs: 10 },
  "slow-link": {
    kind: "slow-link",
    workers: ["W1"],
    nodes: ["A"],
    direction: "reply",
    latencyMs: 5,
    jitterMs: 1,
  },
  "crash-node": { kind: "crash-node", node: "A", downForMs: 10 },
  "lose-power": { kind: "lose-power", node: "A" },
  "stall-node": { kind: "stall-node", node: "A", forMs: 10 },
  "hold-sync": { kind: "hold-sync", node: "A" },
  "jump-clock": { kind: "jump-clock", node: "A", byMs: -5 },
  "skew-clock": { kind: "skew-clock", node: "A", rate: 1.05 },
  "suspend-worker": { kind: "suspend-worker", worker: "W1", forMs: 10 },
  "jump-worker-clock": { kind: "jump-worker-clock", worker: "W1", byMs: -5 },
  "skew-worker-clock": { kind: "skew-worker-clock", worker: "W1", rate: 0.995 },
  "lossy-link": { kind: "lossy-link", workers: ["W1"], nodes: ["A"], direction: "request", share: 0.5 },
  "reset-link": { kind: "reset-link", workers: ["W1"], nodes: ["A"] },
  "slow-resource": { kind: "slow-resource", worker: "W1", latencyMs: 5 },
  "flush-node": { kind: "flush-node", node: "A" },
  "flush-scripts": { kind: "flush-scripts", node: "A" },
  "evict-key": { kind: "evict-key", node: "A", resource: "orders" },
  "delete-key": { kind: "delete-key", node: "A", resource: "orders" },
  "exchange-node": { kind: "exchange-node", node: "A" },
  "fail-over": { kind: "fail-over", node: "A", replica: 2 },
  "hold-replication": { kind: "hold-replication", node: "A", replica: 1 },
  "rewind-counter": { kind: "rewind-counter", lostCount: 1 },
};

describe("validateStory", () => {
  test("returns a story whose parts fit together", () => {
    expect(validateStory(story, "S07", { nodeCount: 5, replicaCount: 2 })).toBe(story);
  });

  test.each(Object.entries(EVERY_FAULT))("%s is a fault", (id, fault) => {
    expect(() => check({ faults: [{ id, when: at(0), fault }] })).not.toThrow();
  });

  test("events that a fault brings about can be waited for", () => {
    const faults: PlannedFault[] = [
      jump,
      { id: "stall", when: after({ kind: "clock-jumped", node: "C" }), fault: EVERY_FAULT["stall-node"] },
      { id: "crash", when: after({ kind: "node-resumed" }), fault: EVERY_FAULT["crash-node"] },
    ];
    const workers = [
      worker("W1", after({ kind: "node-up", node: "A" }, 10)),
      worker("W2", after({ kind: "acquire-granted", worker: "W1" })),
      worker("W3", after({ kind: "key-set", node: "B" })),
    ];

    expect(() => check({ faults, workers })).not.toThrow();
  });

  test.each<[string, Partial<Story>, string]>([
    [
      "no workers",
      { workers: [] },
      "its story: workers is wrong (too small: expected array to have >=1 items).",
    ],
    [
      "a time before the start",
      { faults: [{ ...jump, when: at(-1) }] },
      "its story: faults.0.when.atMs is wrong (too small: expected number to be >=0).",
    ],
    [
      "a time that is none",
      { faults: [{ ...jump, when: at(Number.POSITIVE_INFINITY) }] },
      "its story: faults.0.when.atMs is wrong (invalid input: expected number, received Infinity).",
    ],
    [
      "a refusing link with a direction",
      { faults: [{ ...jump, fault: { ...EVERY_FAULT["cut-link"], how: "refuse" } }] },
      "its story: faults.0.fault is wrong (a link that refuses has no direction).",
    ],
    [
      "more jitter than latency",
      { faults: [{ ...jump, fault: { ...EVERY_FAULT["slow-link"], jitterMs: 6 } }] },
      "its story: faults.0.fault is wrong (the jitter is more than the latency).",
    ],
    ["two workers of one name", { workers: [worker("W1"), worker("W1")] }, "two workers are called W1."],
    ["two faults of one name", { faults: [jump, jump] }, "two faults are called jump."],
    [
      "a node that does not exist",
      { faults: [{ ...jump, fault: { ...EVERY_FAULT["jump-clock"], node: "F" } }] },
      "fault jump names node F, but there is only A, B, C, D, E.",
    ],
    [
      "a worker that does not exist",
      { faults: [{ ...jump, fault: { kind: "crash-worker", worker: "W9" } }] },
      "fault jump names worker W9, but there is only W1, W2.",
    ],
    [
      "a trigger of an unknown worker",
      { faults: [{ ...jump, when: after({ kind: "acquire-granted", worker: "W3" }) }] },
      "fault jump names worker W3, but there is only W1, W2.",
    ],
    [
      "a trigger of an unknown fault",
      { workers: [worker("W1", after({ kind: "fault-applied", fault: "other" }))] },
      "worker W1 names fault other, which is not planned.",
    ],
    [
      "a demand of an unknown node",
      { demands: { contention: false, events: [{ kind: "node-up", node: "Z" }] } },
      "a demand names node Z, but there is only A, B, C, D, E.",
    ],
    [
      "a staging of an unknown node",
      { staging: [{ kind: "granted-by", worker: "W1", nodes: ["A", "X"] }] },
      "the staging names node X, but there is only A, B, C, D, E.",
    ],
    [
      "a name that such an event does not carry",
      {
        staging: [
          { kind: "order", earlier: { kind: "node-down", worker: "W1" }, later: { kind: "run-ended" } },
        ],
      },
      "the staging waits for a worker's node-down, which names no worker.",
    ],
    [
      "a fault that waits for itself",
      { faults: [{ ...jump, when: after({ kind: "fault-applied", fault: "jump" }) }] },
      "fault jump waits for something that nothing in the story can bring about.",
    ],
    [
      "a circle of a fault and a worker",
      {
        workers: [worker("W1", after({ kind: "fault-applied", fault: "jump" }))],
        faults: [{ ...jump, when: after({ kind: "worker-started", worker: "W1" }) }],
      },
      "fault jump waits for something that nothing in the story can bring about.",
    ],
    [
      "the healing of what does not heal",
      { workers: [worker("W1"), worker("W2", after({ kind: "fault-healed", fault: "jump" }))] },
      "worker W2 waits for something that nothing in the story can bring about.",
    ],
    [
      "a node that nobody restarts",
      {
        faults: [{ id: "crash", when: at(0), fault: { kind: "crash-node", node: "C" } }],
        workers: [worker("W1", after({ kind: "node-up", node: "C" }))],
      },
      "worker W1 waits for something that nothing in the story can bring about.",
    ],
    [
      "a crash of another node",
      {
        faults: [{ id: "crash", when: at(0), fault: { kind: "crash-node", node: "C" } }],
        workers: [worker("W1", after({ kind: "node-down", node: "D" }))],
      },
      "worker W1 waits for something that nothing in the story can bring about.",
    ],
    [
      "a membership with a stranger",
      { workers: [{ ...worker("W1"), membership: ["A", "X"] }] },
      "worker W1 names node X, but there is only A, B, C, D, E.",
    ],
    [
      "a replica that no node has",
      { faults: [{ id: "over", when: at(0), fault: { kind: "fail-over", node: "A", replica: 3 } }] },
      "fault over needs 3 replicas, but nodes have 2.",
    ],
    [
      "a replica that is promoted twice",
      {
        faults: ["over", "again"].map((id) => ({
          ...{ id, when: at(0) },
          fault: { kind: "fail-over", node: "A", replica: 1 },
        })),
      },
      "fault again fails over to a replica that has become the master of node A before.",
    ],
    [
      "more fail-overs than replicas",
      {
        faults: ["one", "two", "three"].map((id) => ({
          ...{ id, when: at(0) },
          fault: { kind: "fail-over", node: "A" },
        })),
      },
      "fault three fails over to a replica that has become the master of node A before.",
    ],
    [
      "the end of the story",
      { workers: [worker("W1", after({ kind: "story-ended" }))] },
      "worker W1 waits for something that nothing in the story can bring about.",
    ],
  ])("%s is one clear sentence", (_, change, sentence) => {
    expect(() => check(change)).toThrow(new UsageError(`Scenario S07: ${sentence}`));
  });
});

describe("replicas", () => {
  test("a worker cannot ask replicas where there are none", () => {
    const asking = { ...story, workers: [{ ...worker("W1"), checksReplica: true }] };
    expect(() => validateStory(asking, "S47", { nodeCount: 5, replicaCount: 0 })).toThrow(
      "Scenario S47: worker W1 asks a replica, but nodes have none; set replicaCount.",
    );
  });

  test("whoever is exchanged or fails over is up again without being healed", () => {
    for (const fault of [EVERY_FAULT["exchange-node"], EVERY_FAULT["fail-over"]]) {
      const changed = { id: "change", when: at(0), fault };
      const workers = [worker("W1", after({ kind: "node-up", node: "A" }))];
      expect(check({ workers, faults: [changed] }).workers).toEqual(workers);
    }
  });
});

describe("planInTurn", () => {
  const faults = planInTurn([
    ["one", EVERY_FAULT["crash-node"]],
    ["two", EVERY_FAULT["hold-sync"]],
  ]);

  test("each waits until the one before it holds", () => {
    expect(faults.map(({ when }) => when)).toEqual([at(0), after({ kind: "fault-applied", fault: "one" })]);
  });

  test("who waits for the last finds all in place", () => {
    expect(whenAllHold(faults)).toEqual(after({ kind: "fault-applied", fault: "two" }));
    expect(whenAllHold([])).toEqual(at(0));
  });
});

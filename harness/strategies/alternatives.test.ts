import { describe, expect, test } from "vitest";
import type { Fault } from "../faults/fault.ts";
import { after, at } from "../scenario/story-parts.ts";
import { type Trial, type Tried, tryStrategy, w1, w2 } from "./trial.fixture.ts";

const nodesWithKeys = ({ events }: Tried): readonly string[] => [
  ...new Set(events.flatMap((event) => (event.kind === "key-set" ? [event.node] : []))),
];
const grantedWorkers = ({ events }: Tried): readonly string[] =>
  events.flatMap((event) => (event.kind === "acquire-granted" ? [event.worker] : []));

const ONE_MASTER = { nodeCount: 1, quorum: 1 };

/** W1's lock on a master that is gone 20 ms later, with the replicas that are held back knowing nothing of it. */
function failOver(
  replicaCount: number,
  options: { readonly held: number; readonly promoted: number },
): Trial {
  const { held, promoted } = options;
  return {
    settings: { ...ONE_MASTER, replicaCount },
    workers: [w1({ workMs: 500 }), w2(40, { waitMs: 300 })],
    faults: [
      [at(0), { kind: "hold-replication", node: "A", replica: held }],
      [after({ kind: "key-set", node: "A" }, 20), { kind: "fail-over", node: "A", replica: promoted }],
    ],
  };
}

describe("single", () => {
  test("one vote of one node is a lock", () => {
    const tried = tryStrategy("single", { workers: [w1()] });

    expect(nodesWithKeys(tried)).toEqual(["A"]);
    expect(grantedWorkers(tried)).toEqual(["W1"]);
  });

  test("nobody has it while the node is away", () => {
    const tried = tryStrategy("single", {
      workers: [w1()],
      faults: [[at(0), { kind: "cut-link", workers: ["W1"], nodes: ["A"], how: "lose" }]],
    });

    expect(grantedWorkers(tried)).toEqual([]);
  });
});

describe("replicated", () => {
  test("a replica that had the key takes over the lock", () => {
    const tried = tryStrategy("replicated", failOver(2, { held: 2, promoted: 1 }));

    expect(grantedWorkers(tried)).toEqual(["W1"]);
    expect(tried.broken).not.toContain("declared");
  });

  test("a replica that had not heard of the key hands out the lock again (S35)", () => {
    expect(tryStrategy("replicated", failOver(1, { held: 1, promoted: 1 })).broken).toContain("declared");
  });
});

describe("replicated-wait", () => {
  test("a lock counts when a replica has it, and only then", () => {
    const settings = { ...ONE_MASTER, replicaCount: 1 };
    const hold: Fault = { kind: "hold-replication", node: "A", replica: 1 };

    expect(grantedWorkers(tryStrategy("replicated-wait", { settings, workers: [w1()] }))).toEqual(["W1"]);
    expect(
      grantedWorkers(tryStrategy("replicated-wait", { settings, workers: [w1()], faults: [[at(0), hold]] })),
    ).toEqual([]);
  });

  test("one acknowledgement does not help where another replica takes over (S36)", () => {
    expect(tryStrategy("replicated-wait", failOver(2, { held: 2, promoted: 2 })).broken).toContain(
      "declared",
    );
  });
});

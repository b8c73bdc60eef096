import { describe, expect, test } from "vitest";
import { faultTargets } from "../harness/faults/fault.ts";
import type { EventKind } from "../harness/history/event.ts";
import { UsageError } from "../harness/lab-error.ts";
import { defineScenario } from "../harness/scenario/define-scenario.ts";
import type { LabSettings } from "../harness/scenario/lab-settings.ts";
import { resolvePlan } from "../harness/scenario/resolve-plan.ts";
import type { RunPlan } from "../harness/scenario/run-plan.ts";
import { SCENARIOS } from "./index.ts";

function planOf(id: string, variantName: string, overrides: Partial<LabSettings> = {}): RunPlan {
  const scenario = SCENARIOS.find((candidate) => candidate.id === id);
  const variant = scenario?.variants.find(({ name }) => name === variantName);
  if (scenario === undefined || variant === undefined) throw new Error(`There is no ${id} ${variantName}.`);
  return resolvePlan({ scenario, variant, overrides, seed: "1" });
}

/** Whom a fault touches, as `W1 x D,E`. */
function touched(plan: RunPlan, faultId: string): string {
  const planned = plan.faults.find(({ id }) => id === faultId);
  if (planned === undefined) return "nobody";
  const { workers, nodes } = faultTargets(planned.fault);
  return [workers.join(","), nodes.join(",")].filter((names) => names !== "").join(" x ");
}

const EVERY_VARIANT = SCENARIOS.flatMap(({ id, variants }) =>
  variants.map(({ name }) => [id, name] as const),
);

/** Events that nothing but a fault brings about. */
const CONSEQUENCES: readonly EventKind[] = [
  "clock-jumped",
  "clock-rate-set",
  "node-down",
  "node-up",
  "node-stalled",
  "worker-paused",
  "worker-suspended",
  "worker-killed",
];

describe("SCENARIOS", () => {
  test("are listed by number, each once", () => {
    const ids = SCENARIOS.map(({ id }) => id);

    expect(ids).toEqual([...new Set(ids)].sort());
  });

  test.each(SCENARIOS.map((scenario) => [scenario.id, scenario] as const))(
    "%s is well defined",
    (_, scenario) => {
      expect(defineScenario(scenario)).toBe(scenario);
    },
  );

  test("no alias names two stories, and none looks like a number", () => {
    const aliases = SCENARIOS.flatMap((scenario) => scenario.aliases ?? []).map(({ name }) => name);

    expect(new Set(aliases).size).toBe(aliases.length);
    expect(aliases.filter((name) => /^s\d+$/i.test(name))).toEqual([]);
  });

  test.each(EVERY_VARIANT)("%s %s can be told with its own settings", (id, variant) => {
    expect(() => planOf(id, variant)).not.toThrow();
  });

  test.each(EVERY_VARIANT)("%s %s can be told with 3 and 7 nodes, or says why not", (id, variant) => {
    for (const nodeCount of [3, 7]) {
      try {
        expect(planOf(id, variant, { nodeCount }).nodes).toHaveLength(nodeCount);
      } catch (refusal) {
        expect(refusal).toBeInstanceOf(UsageError);
      }
    }
  });

  test.each(EVERY_VARIANT)("%s %s is plain JSON", (id, variant) => {
    const plan = planOf(id, variant);

    expect(JSON.parse(JSON.stringify(plan))).toEqual(plan);
  });

  test.each(EVERY_VARIANT)("%s %s demands that each of its faults was applied", (id, variant) => {
    const { faults, demands } = planOf(id, variant);

    const missing = faults.filter(({ id: fault, fault: what }) => {
      const { nodes, workers } = faultTargets(what);
      return !demands.events.some(
        (pattern) =>
          pattern.fault === fault ||
          (CONSEQUENCES.includes(pattern.kind) &&
            (nodes.includes(pattern.node ?? "") || workers.includes(pattern.worker ?? ""))),
      );
    });
    expect(missing).toEqual([]);
  });
});

describe("the two sides of a partition", () => {
  test.each(["S07", "S14"])("%s: with three votes of five they meet on C", (id) => {
    const plan = planOf(id, "plain");

    expect(touched(plan, "cut-w1")).toBe("W1 x D,E");
    expect(touched(plan, "cut-w2")).toBe("W2 x A,B");
    expect(touched(plan, id === "S07" ? "jump" : "down")).toBe("C");
    expect(plan.staging[0]).toEqual({ kind: "granted-by", worker: "W1", nodes: ["A", "B", "C"] });
  });

  test("with four votes of five they meet on B, C and D", () => {
    const plan = planOf("S07", "quorum-4");

    expect(touched(plan, "cut-w1")).toBe("W1 x E");
    expect(touched(plan, "cut-w2")).toBe("W2 x A");
    expect(touched(plan, "jump")).toBe("C");
  });

  test("with two votes of three they meet on B", () => {
    const plan = planOf("S14", "plain", { nodeCount: 3 });

    expect(touched(plan, "cut-w1")).toBe("W1 x C");
    expect(touched(plan, "cut-w2")).toBe("W2 x A");
    expect(touched(plan, "down")).toBe("B");
  });

  test("where all votes are needed nobody is cut off", () => {
    expect(planOf("S14", "plain", { quorum: 5 }).faults.map(({ id }) => id)).toEqual(["down"]);
  });
});

describe("restarts", () => {
  test("a delayed restart outlasts whatever TTL is asked for", () => {
    const down = planOf("S14", "delayed-restart", { ttlMs: 4000 }).faults.find(({ id }) => id === "down");

    expect(down?.fault).toMatchObject({ kind: "crash-node", node: "C", downForMs: 4160 });
  });

  test("power is lost on a disk that has held its syncs back since before W1 started", () => {
    const plan = planOf("S15", "plain");

    expect(plan.faults.map(({ id }) => id)).toEqual(["hold-sync", "cut-w1", "cut-w2", "down"]);
    expect(plan.faults.at(-1)?.fault.kind).toBe("lose-power");
    expect(plan.workers[0]?.startWhen).toMatchObject({ event: { kind: "fault-applied", fault: "cut-w2" } });
  });

  test("the control of the delayed restart is told for both kinds of loss", () => {
    expect(planOf("S16", "killed").faults.at(-1)?.fault.kind).toBe("crash-node");
    expect(planOf("S16", "power-loss").faults.at(-1)?.fault.kind).toBe("lose-power");
  });
});

describe("outages", () => {
  test("a minority is what the quorum can spare", () => {
    expect(touched(planOf("S19", "refused"), "outage")).toBe("W1 x D,E");
    expect(touched(planOf("S19", "refused", { quorum: 4 }), "outage")).toBe("W1 x E");
    expect(planOf("S19", "killed").faults.map(({ id }) => id)).toEqual(["kill-d", "kill-e"]);
  });

  test("S19 cannot be told where no node may fail", () => {
    expect(() => planOf("S19", "refused", { quorum: 5 })).toThrow(
      new UsageError("S19 needs a node that may fail, but a quorum of 5 takes all 5."),
    );
  });

  test("a majority is so much that no quorum is left", () => {
    expect(touched(planOf("S20", "black-holed"), "outage")).toBe("W1,W2 x A,B,C");
    expect(touched(planOf("S20", "black-holed", { quorum: 4 }), "outage")).toBe("W1,W2 x A,B");
    expect(planOf("S20", "killed").faults.map(({ fault }) => fault)).toContainEqual({
      kind: "crash-node",
      node: "A",
      downForMs: 2000,
    });
  });
});

test.each([
  ["S01", "plain", 250],
  ["S07", "plain", 500],
  ["S16", "killed", 600],
  ["S30", "plain", 300],
  ["S31", "plain", 800],
  ["S33", "overtaken", 800],
  ["S36", "redlock", 500],
  ["S37", "plain", 500],
  ["S39", "uneven", 300],
  ["S40", "fenced", 250],
  ["S41", "plain", 200],
  ["S44", "plain", 500],
  ["S46", "flushed", 1000],
  ["S49", "plain", 300],
  ["S50", "plain", 600],
  ["S52", "plain", 800],
  ["S53", "plain", 200],
  ["S58", "plain", 500],
  ["S59", "plain", 900],
  ["S60", "plain", 500],
  ["S60", "overtaken", 1000],
  ["S65", "plain", 500],
] as const)("%s says which TTL its story needs", (id, variant, ttlMinMs) => {
  expect(() => planOf(id, variant, { ttlMs: ttlMinMs })).not.toThrow();
  expect(() => planOf(id, variant, { ttlMs: ttlMinMs - 1 })).toThrow(
    new UsageError(
      `${id} needs a TTL of at least ${ttlMinMs} ms, not ${ttlMinMs - 1}: its story has to fit into one lifetime.`,
    ),
  );
});

test.each([
  ["S30", "plain", { quorum: 5 }, "needs a quorum of more than one node that leaves one out."],
  ["S31", "plain", { quorum: 5 }, "needs a node that the quorum leaves out, but 5 takes all 5."],
  ["S34", "refused", { quorum: 5 }, "needs a node that may fail, but a quorum of 5 takes all 5."],
  ["S35", "replicated", { nodeCount: 5 }, "is told of one master in this variant, not of 5."],
  ["S36", "replicated-wait", { nodeCount: 3 }, "is told of one master in this variant, not of 3."],
  [
    "S48",
    "plain",
    { quorum: 4 },
    "needs a quorum that leaves out a majority of another, which 4 of 5 does not.",
  ],
  ["S54", "far", { ttlMs: 2000 }, "needs a node timeout above the TTL of 2000 ms, not 1200 ms."],
  ["S59", "plain", { quorum: 5 }, "needs a node that may be silent, but a quorum of 5 takes all 5."],
] as const)("%s %s with %j: it cannot be told, and says why", (id, variant, overrides, why) => {
  expect(() => planOf(id, variant, overrides)).toThrow(new UsageError(`${id} ${why}`));
});

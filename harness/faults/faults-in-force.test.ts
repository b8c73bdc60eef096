import { describe, expect, test } from "vitest";
import type { Fault, PlannedFault } from "./fault.ts";
import { FaultsInForce } from "./faults-in-force.ts";

const planned = (id: string, fault: Fault): PlannedFault => ({ id, when: { kind: "at", atMs: 0 }, fault });
const crash = planned("crash", { kind: "crash-node", node: "A", downForMs: 10 });
const power = planned("power", { kind: "lose-power", node: "A", downForMs: 10 });

describe("FaultsInForce", () => {
  test("a node is down until everything that keeps it down is over", () => {
    const inForce = new FaultsInForce();

    expect(inForce.apply(crash)).toBeUndefined();
    expect(inForce.apply(power)).toBe(crash);
    expect(inForce.heal(crash)).toBe(power);
    expect(inForce.heal(power)).toBeUndefined();
  });

  test("other nodes, other workers and other kinds are held for themselves", () => {
    const inForce = new FaultsInForce();
    inForce.apply(crash);

    for (const fault of [
      { kind: "crash-node", node: "B" },
      { kind: "stall-node", node: "A", forMs: 1 },
      { kind: "skew-clock", node: "A", rate: 2 },
      { kind: "hold-replication", node: "A", replica: 1 },
      { kind: "hold-replication", node: "A", replica: 2 },
      { kind: "pause-worker", worker: "A", forMs: 1 },
      { kind: "suspend-worker", worker: "A", forMs: 1 },
    ] satisfies Fault[]) {
      expect(inForce.apply(planned(JSON.stringify(fault), fault)), fault.kind).toBeUndefined();
    }
  });

  test("what lasts not at all holds nothing", () => {
    const inForce = new FaultsInForce();
    const jump = planned("jump", { kind: "jump-clock", node: "A", byMs: 5 });

    expect([inForce.apply(jump), inForce.apply(jump), inForce.heal(jump)]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });
});

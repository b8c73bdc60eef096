/** A simulated node under the restart guard: what makes it fall silent, and for how long. */
import { describe, expect, test } from "vitest";
import { membershipOf } from "../../../../src/core/guard-record.ts";
import type { Persistence } from "../../../scenario/lab-settings.ts";
import { isGuardKey } from "../../../history/guard-silences.ts";
import { SimulatedNode } from "./simulated-node.ts";

const GUARD = { membership: membershipOf(["A"]), longestLifetimeMs: 1000 };
const GRANTED = { kind: "granted" };
const quarantined = (leftMs: number) => ({ kind: "refused", reason: "quarantined", leftMs });

function inUse(persistence: Persistence = "none") {
  let nowMs = 0;
  const node = new SimulatedNode({
    name: "A",
    persistence,
    nowMs: () => nowMs,
    record: () => undefined,
    wallStartMs: 100_000,
    guard: GUARD,
  });
  const command = (resource: string) => ({ resource, value: "v1", ttlMs: 500, guard: GUARD }) as const;
  return {
    node,
    pass: (durationMs: number) => void (nowMs += durationMs),
    acquire: (resource: string) => node.execute({ kind: "acquire", ...command(resource) }),
    extend: (resource: string) => node.execute({ kind: "extend", ...command(resource) }),
    restart: (cause: "killed" | "power-loss" = "killed") => {
      node.goDown(cause);
      node.comeUp();
    },
  };
}

describe("a node that has been in use", () => {
  test("votes at once, and again once one longest lifetime has passed since the first question", () => {
    const { acquire, pass, restart } = inUse();
    expect(acquire("orders")).toEqual(GRANTED);
    restart();
    pass(300);
    expect(acquire("orders")).toEqual(quarantined(1000));
    pass(1000);
    expect(acquire("orders")).toEqual(quarantined(0));
    pass(1);
    expect(acquire("orders")).toEqual(GRANTED);
  });

  test("refuses extensions as well", () => {
    const { acquire, extend, restart } = inUse("aof-always");
    acquire("orders");
    restart();
    expect(extend("orders")).toEqual(quarantined(1000));
  });

  test.each([
    ["flushed", (node: SimulatedNode) => node.flushAll()],
    ["exchanged", (node: SimulatedNode) => node.giveWayTo(new Map())],
    ["replaced by a replica", (node: SimulatedNode) => node.giveWayTo(new Map(node.storedKeys()))],
  ])("and was %s casts no vote", (_how, forget) => {
    const { node, acquire } = inUse();
    forget(node);
    expect(acquire("orders")).toEqual(quarantined(1000));
  });

  test.each(["aof-everysec", "aof-always"] as const)(
    "has had its guard for so long that no loss of power takes it (%s)",
    (persistence) => {
      const { node, restart } = inUse(persistence);
      restart("power-loss");
      expect(node.findKeys().map(({ resource }) => resource)).toEqual(["redlock:guard"]);
    },
  );

  test("restarted again, begins its quarantine anew", () => {
    const { acquire, pass, restart } = inUse("aof-always");
    restart();
    acquire("orders");
    pass(900);
    restart();
    expect(acquire("orders")).toEqual(quarantined(1000));
  });

  test("leaves nothing but the guard when the quarantine is over", () => {
    const { node, acquire, pass, restart } = inUse();
    restart();
    acquire("orders");
    pass(1001);
    expect(node.findKeys().filter(({ resource }) => !isGuardKey(resource))).toEqual([]);
    expect(node.findKeys()).toHaveLength(1);
  });
});

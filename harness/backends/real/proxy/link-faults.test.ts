import { describe, expect, test } from "vitest";
import { proxyNameOf, toxicsFrom } from "./link-faults.ts";

const ends = { workers: ["W1"], nodes: ["A"] };

describe("proxyNameOf", () => {
  test("names the worker and the node", () => {
    expect(proxyNameOf({ worker: "W1", node: "A" })).toBe("w1-a");
  });
});

describe("toxicsFrom", () => {
  test("a loss without a direction is a toxic each way", () => {
    expect(toxicsFrom("cut", { kind: "cut-link", ...ends, how: "lose" })).toEqual([
      { kind: "lose", name: "cut-request", direction: "request" },
      { kind: "lose", name: "cut-reply", direction: "reply" },
    ]);
  });

  test("a slow link without jitter has none", () => {
    expect(toxicsFrom("slow", { kind: "slow-link", ...ends, direction: "reply", latencyMs: 30 })).toEqual([
      { kind: "slow", name: "slow-reply", direction: "reply", latencyMs: 30, jitterMs: 0 },
    ]);
  });

  test("a refusal is no toxic", () => {
    expect(toxicsFrom("cut", { kind: "cut-link", ...ends, how: "refuse" })).toEqual([]);
  });
});

import { expect, test } from "vitest";
import { Counters } from "./counters.ts";

test("counters count each resource by itself, are never lowered, and begin again when they are forgotten", () => {
  const counters = new Counters();
  expect([counters.increment("orders"), counters.increment("orders"), counters.increment("stock")]).toEqual([
    1, 2, 1,
  ]);
  expect([counters.raise("orders", 9), counters.raise("orders", 4)]).toEqual([9, 9]);
  expect(counters.increment("orders")).toBe(10);
  counters.forget();
  expect(counters.increment("orders")).toBe(1);
});

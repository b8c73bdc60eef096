import { describe, expect, test } from "vitest";
import { fakeNodes } from "./fake-node.fixture.ts";
import { type AcquireOptions, assertAcquireOptions } from "./call-options.ts";
import { assertTtl } from "./durations.ts";
import { type RedlockOptions, rulesFrom } from "./options.ts";
import { targetFrom } from "./target.ts";

describe("rulesFrom", () => {
  test.each([
    [1, 1],
    [2, 2],
    [3, 2],
    [4, 3],
    [5, 3],
  ])("%i nodes need %i votes unless told otherwise (peers 11, 13)", (count, quorum) => {
    expect(rulesFrom(fakeNodes(count), {}).quorum).toBe(quorum);
  });

  test.each([
    [{ quorum: 2 }, "quorum must be a whole number from 3 (the majority) to 5, not 2"],
    [{ quorum: 6 }, "quorum must be a whole number from 3 (the majority) to 5, not 6"],
    [{ quorum: 3.5 }, "quorum must be a whole number from 3"],
    [{ nodeTimeoutMs: 0 }, "nodeTimeoutMs must be a number of milliseconds above 0 to 1e12, not 0"],
    [{ nodeTimeoutMs: Number.NaN }, "nodeTimeoutMs must be a number"],
    [{ driftFactor: -0.1 }, "driftFactor must be a number from 0 to 0.5, not -0.1"],
    [{ driftFactor: 1 }, "driftFactor must be a number from 0 to 0.5, not 1"],
    [
      { retryBaseMs: 100, retryCapMs: 50 },
      "retryCapMs must be a number of milliseconds from 100 to 1e12, not 50",
    ],
    [{ startUpProbe: true as unknown as "off" }, 'startUpProbe must be "first-use" or "off", not boolean'],
    [{ longestDelayMs: -1 }, "longestDelayMs must be a number of milliseconds from 0 to 1e12, not -1"],
  ])("%o is misuse in one sentence", (options, message) => {
    expect(() => rulesFrom(fakeNodes(), options)).toThrow(
      expect.objectContaining({ code: "misuse", message: expect.stringContaining(message) as string }),
    );
  });

  test("no nodes, and two nodes of one name, are misuse", () => {
    expect(() => rulesFrom([], {})).toThrow("at least one node");
    expect(() => rulesFrom([...fakeNodes(1), ...fakeNodes(1)], {})).toThrow("same name");
  });

  test("an option that is given as undefined takes its default", () => {
    const options = JSON.parse("{}") as Record<string, never>;
    expect(
      rulesFrom(fakeNodes(), { ...options, driftFactor: undefined as unknown as number }).driftFactor,
    ).toBe(0.01);
  });
});

describe("assertTtl", () => {
  test.each([0, -1, 1.5, Number.NaN, Infinity, 1e13, "1000", undefined])("%s is no TTL", (ttlMs) => {
    expect(() => {
      assertTtl(ttlMs, { driftFactor: 0.01 });
    }).toThrow("ttlMs must be a whole number");
  });

  test("a TTL that the drift allowance eats is refused (peers N16)", () => {
    expect(() => {
      assertTtl(3, { driftFactor: 0.01 });
    }).toThrow("leaves no validity: the drift allowance alone is 3 ms");
    expect(() => {
      assertTtl(4, { driftFactor: 0.01 });
    }).not.toThrow();
  });
});

describe("the restart guard", () => {
  test("is on by default: the sorted names of the nodes, and 30 seconds", () => {
    const { guard, firstUse } = rulesFrom(fakeNodes(3).reverse(), {});
    expect(guard).toEqual({ membership: '["A","B","C"]', longestLifetimeMs: 30_000 });
    expect(firstUse).toBe("wait");
  });

  test('is off where it is "off", and takes its options', () => {
    expect(rulesFrom(fakeNodes(), { restartGuard: "off" }).guard).toBeUndefined();
    const restartGuard = { longestLifetimeMs: 5000, firstUse: "trust" } as const;
    expect(rulesFrom(fakeNodes(), { restartGuard })).toMatchObject({
      guard: { longestLifetimeMs: 5000 },
      firstUse: "trust",
    });
  });

  test.each([
    [true, 'restartGuard must be {longestLifetimeMs, firstUse} or "off", not the boolean true'],
    [null, "restartGuard must be"],
    [{ longestLifetimeMs: 0 }, "restartGuard.longestLifetimeMs must be a whole number of milliseconds"],
    [{ longestLifetimeMs: 1.5 }, "restartGuard.longestLifetimeMs must be"],
    [{ firstUse: "always" }, 'restartGuard.firstUse must be "wait" or "trust", not the string "always"'],
  ])("%o is misuse", (restartGuard, message) => {
    expect(() => rulesFrom(fakeNodes(), { restartGuard } as unknown as RedlockOptions)).toThrow(message);
  });

  test("a TTL above the longest lifetime is misuse that names the option", () => {
    const rules = rulesFrom(fakeNodes(), {});
    expect(() => {
      assertTtl(30_000, rules);
    }).not.toThrow();
    expect(() => {
      assertTtl(30_001, rules);
    }).toThrow("raise restartGuard.longestLifetimeMs in all clients");
  });

  test.each(["redlock:guard", "redlock:quarantine"])("its key %s is no resource", (key) => {
    expect(() => {
      targetFrom(key);
    }).toThrow("belongs to the restart guard");
  });
});

describe("targetFrom", () => {
  test("a string is one resource and not a list of letters (peers 18)", () => {
    expect(targetFrom("orders")).toEqual({ resource: "orders" });
  });

  test("several are sorted, and each is taken once", () => {
    expect(targetFrom(["b", "a", "b", "c"])).toEqual({ resource: "a", others: ["b", "c"] });
    expect(targetFrom(["a", "a"])).toEqual({ resource: "a" });
  });

  test.each(["", undefined, 7, ["orders", ""], [["orders"]], {}])("%o names no resource", (resources) => {
    expect(() => targetFrom(resources)).toThrow("a resource is a string that is not empty");
  });

  test.each([0, 1001])("%i resources are none, or too many", (count) => {
    const names = Array.from({ length: count }, (_, index) => String(index));
    expect(() => targetFrom(names)).toThrow("a lock is on 1 to 1000 resources");
  });
});

describe("assertAcquireOptions", () => {
  test.each([
    [{ waitMs: -1 }, "waitMs must be"],
    [{ waitMs: Infinity }, "waitMs must be"],
    [{ fencing: {} }, "fencing must be a token source"],
    [{ fencing: null }, "fencing must be a token source"],
  ])("%o is misuse", (options, message) => {
    expect(() => {
      assertAcquireOptions(options as AcquireOptions);
    }).toThrow(message);
  });
});

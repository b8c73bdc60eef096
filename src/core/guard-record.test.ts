import { fc, test } from "@fast-check/vitest";
import { describe, expect } from "vitest";
import { membershipOf, recordFromText, recordText } from "./guard-record.ts";

const names = fc.uniqueArray(fc.string(), { minLength: 1, maxLength: 9 });
const longestLifetimeMs = fc.integer({ min: 1, max: 1e12 });
const durability = fc.constantFrom("durable" as const, "volatile" as const);

describe("membershipOf", () => {
  test.prop([names])("is the same in whatever order the nodes are listed", (listed) => {
    expect(membershipOf(listed.toReversed())).toBe(membershipOf(listed));
  });

  test.prop([names, names])("is another for other names", (one, other) => {
    const isSame = one.toSorted().join("\0") === other.toSorted().join("\0") && one.length === other.length;
    expect(membershipOf(one) === membershipOf(other)).toBe(isSame);
  });
});

describe("a guard's record", () => {
  test.prop([names, longestLifetimeMs, durability])("reads as it was written", (listed, lifetimeMs, kept) => {
    const record = {
      runId: "4f00",
      terms: { membership: membershipOf(listed), longestLifetimeMs: lifetimeMs },
      durability: kept,
    };
    expect(recordFromText(recordText(record))).toEqual(record);
  });

  test.each(["", "v1", "4f00 2 [] 10 volatile", "4f00 1 [] 10 whatever"])("%o is none", (text) => {
    expect(recordFromText(text)).toBeUndefined();
  });
});

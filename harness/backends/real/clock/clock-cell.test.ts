import { describe, expect, test } from "vitest";
import { newCell, segmentOffset, syncedLengthFrom } from "./clock-cell.ts";

describe("newCell", () => {
  test("begins with the mark that the shim looks for and holds the first segment", () => {
    const cell = newCell({ anchorMonotonicNs: 1n, anchorShownNs: 2n, ratePpb: 3n });
    expect(cell.subarray(0, 8).toString("latin1")).toBe("REDLOCK1");
    expect([64, 72, 80].map((offset) => cell.readBigInt64LE(offset))).toEqual([1n, 2n, 3n]);
  });
});

describe("segmentOffset", () => {
  test("takes turns, also where the generation turns over", () => {
    expect([0, 1, 2, 255, 0].map(segmentOffset)).toEqual([64, 128, 64, 128, 64]);
  });
});

describe("syncedLengthFrom", () => {
  test("is undefined while nothing is synced", () => {
    expect(syncedLengthFrom(Buffer.alloc(8))).toBeUndefined();
  });

  test("splits the file's sequence from its length", () => {
    const bytes = Buffer.alloc(8);
    bytes.writeBigUInt64LE((3n << 44n) | 346_357n);
    expect(syncedLengthFrom(bytes)).toEqual({ fileSequence: 3, bytes: 346_357 });
  });
});

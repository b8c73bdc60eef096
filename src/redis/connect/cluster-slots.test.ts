import { describe, expect, test } from "vitest";
import { masterOfSlot, serversOfSlots } from "./cluster-slots.ts";

const ASKED = { host: "10.0.0.9", port: 7009 };
const SLOTS = [
  [0, 5460, ["10.0.0.1", 7000, "id-a", []], ["10.0.0.2", 7003, "id-d", []]],
  [5461, 10_922, ["", 7001, "id-b", []]],
  [10_923, 16_383, ["?", 7002, "id-c", []]],
];

describe("masterOfSlot", () => {
  test.each([
    [0, { host: "10.0.0.1", port: 7000 }],
    [5460, { host: "10.0.0.1", port: 7000 }],
    [5461, { host: "10.0.0.9", port: 7001 }],
    [16_383, { host: "10.0.0.9", port: 7002 }],
  ])("slot %i; who does not know its own address has the one that was asked", (slot, master) => {
    expect(masterOfSlot(SLOTS, slot, ASKED)).toEqual(master);
  });

  test.each([[[]], [null], [[[0, 100]]], [[[0, 100, ["10.0.0.1", 0]]]], ["OK"]])(
    "%o names no master",
    (slots) => {
      expect(masterOfSlot(slots, 50, ASKED)).toBeUndefined();
    },
  );
});

describe("serversOfSlots", () => {
  test("replicas can be asked too", () => {
    expect(serversOfSlots(SLOTS, ASKED).map(({ port }) => port)).toEqual([7000, 7003, 7001, 7002]);
  });
});

import { describe, expect, test } from "vitest";
import { carriesLabel } from "./end-processes.ts";
import { startTimeFromStat } from "./process-identity.ts";
import { applyMessage, asSupervisorMessage, NOTHING_SUPERVISED } from "./supervised.ts";

describe("applyMessage", () => {
  test("what was told and taken back is not supervised", () => {
    const told = [
      { kind: "process", pid: 7, startTime: "1" },
      { kind: "process", pid: 8, startTime: "2" },
      { kind: "run", label: "r1" },
      { kind: "folder", path: "/f" },
      { kind: "process-ended", pid: 7 },
      { kind: "run-ended", label: "r1" },
      { kind: "folder-removed", path: "/f" },
    ] as const;
    expect(told.reduce(applyMessage, NOTHING_SUPERVISED)).toEqual({
      ...NOTHING_SUPERVISED,
      processes: new Map([[8, "2"]]),
    });
  });

  test("a number that is used again stands for the later process", () => {
    const first = applyMessage(NOTHING_SUPERVISED, { kind: "process", pid: 7, startTime: "1" });
    const second = applyMessage(first, { kind: "process", pid: 7, startTime: "2" });
    expect(second.processes).toEqual(new Map([[7, "2"]]));
  });
});

describe("asSupervisorMessage", () => {
  test.each([null, 1, {}, { kind: "process", pid: "7" }, { kind: "folder" }, { kind: "reboot" }])(
    "does not take %j for a message",
    (message) => {
      expect(asSupervisorMessage(message)).toBeUndefined();
    },
  );
});

describe("startTimeFromStat", () => {
  const stat = (name: string, state: string) =>
    `42 (${name}) ${state} ${Array.from({ length: 18 }, () => "0").join(" ")} 98765 0`;

  test("is the 22nd field, whatever the name holds", () => {
    expect(startTimeFromStat(stat("a) R (b", "T"))).toBe("98765");
  });

  test("is undefined for a zombie", () => {
    expect(startTimeFromStat(stat("node", "Z"))).toBeUndefined();
  });
});

describe("carriesLabel", () => {
  test("compares the whole label", () => {
    const labels = new Set(["run-1"]);
    expect(carriesLabel("A=1\0REDLOCK_LAB_RUN=run-1\0", labels)).toBe(true);
    expect(carriesLabel("REDLOCK_LAB_RUN=run-10\0", labels)).toBe(false);
    expect(carriesLabel("OLD_REDLOCK_LAB_RUN=run-1\0", labels)).toBe(false);
  });
});

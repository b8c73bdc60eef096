import { describe, expect, test } from "vitest";
import { ProcessQuarantine } from "./process-quarantine.ts";

const LONGEST_MS = 1000;

describe("ProcessQuarantine", () => {
  test("counts from first sight, and seeing it again begins nothing anew", () => {
    const quarantine = new ProcessQuarantine();
    quarantine.see("r1", 100);
    quarantine.see("r1", 900);
    expect(quarantine.leftMs("r1", LONGEST_MS, 600)).toBe(500);
    expect(quarantine.leftMs("r1", LONGEST_MS, 1100)).toBe(0);
  });

  test("another process has a time of its own", () => {
    const quarantine = new ProcessQuarantine();
    quarantine.see("r1", 0);
    quarantine.see("r2", 5000);
    expect(quarantine.leftMs("r1", LONGEST_MS, 5000)).toBe(0);
    expect(quarantine.leftMs("r2", LONGEST_MS, 5000)).toBe(1000);
  });

  test("one that nobody has seen has it all before it, and one that is trusted none", () => {
    const quarantine = new ProcessQuarantine();
    expect(quarantine.leftMs("r1", LONGEST_MS, 0)).toBe(1000);
    quarantine.trust("r1");
    expect(quarantine.leftMs("r1", LONGEST_MS, 0)).toBe(0);
  });

  test("what is forgotten after a hundred others is new again, and no vote too early", () => {
    const quarantine = new ProcessQuarantine();
    for (let index = 0; index <= 100; index++) quarantine.see(`r${String(index)}`, 0);
    expect(quarantine.leftMs("r100", LONGEST_MS, 2000)).toBe(0);
    expect(quarantine.leftMs("r0", LONGEST_MS, 2000)).toBe(1000);
  });
});

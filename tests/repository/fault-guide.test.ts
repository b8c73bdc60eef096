import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { FAULT_CATALOGUE } from "../../harness/faults/fault-catalogue.ts";
import { SCENARIOS } from "../../scenarios/index.ts";
import { faultGuide } from "./fault-guide.ts";

const written = readFileSync(new URL("../../docs/faults.md", import.meta.url), "utf8");

describe("docs/faults.md", () => {
  test("is what npm run docs:faults writes", () => {
    expect(written).toBe(faultGuide(SCENARIOS));
  });

  test("has every fault and every variant of every story", () => {
    for (const kind of Object.keys(FAULT_CATALOGUE)) expect(written).toContain(`| \`${kind}\` |`);
    for (const { id, title, variants } of SCENARIOS) {
      expect(written).toContain(`| ${id} ${title} |`);
      for (const { name } of variants) expect(written).toContain(name);
    }
  });
});

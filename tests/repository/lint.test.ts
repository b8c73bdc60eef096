/** The determinism rules of eslint.config.js are seen to fire where they must, and only there. */
import { ESLint } from "eslint";
import { join } from "node:path";
import tseslint from "typescript-eslint";
import { describe, expect, test } from "vitest";

const repository = join(import.meta.dirname, "..", "..");

/** Types are left out: they need files that exist, and the rules in question do not look at them. */
const eslint = new ESLint({ cwd: repository, overrideConfig: tseslint.configs.disableTypeChecked });

async function brokenRules(filePath: string, text: string): Promise<readonly string[]> {
  const [result] = await eslint.lintText(text, { filePath: join(repository, filePath) });
  return [...new Set((result?.messages ?? []).map(({ ruleId, message }) => ruleId ?? message))];
}

const WORLD: readonly { code: string; rule: string }[] = [
  { code: "export const a = Date.now();", rule: "no-restricted-globals" },
  { code: "export const a = new Date();", rule: "no-restricted-globals" },
  { code: "export const a = globalThis.Date;", rule: "no-restricted-globals" },
  { code: "export const a = performance.now();", rule: "no-restricted-globals" },
  { code: "setTimeout(() => {}, 1);", rule: "no-restricted-globals" },
  { code: "setInterval(() => {}, 1);", rule: "no-restricted-globals" },
  { code: "setImmediate(() => {});", rule: "no-restricted-globals" },
  { code: "queueMicrotask(() => {});", rule: "no-restricted-globals" },
  { code: "export const a = process.env;", rule: "no-restricted-globals" },
  { code: "export const a = crypto.randomUUID();", rule: "no-restricted-globals" },
  { code: "export const a = new Intl.NumberFormat();", rule: "no-restricted-globals" },
  { code: "export const a = Math.random();", rule: "no-restricted-properties" },
  { code: "export const a = AbortSignal.timeout(1);", rule: "no-restricted-properties" },
  { code: "export const a = (1).toLocaleString();", rule: "no-restricted-syntax" },
  { code: `import { hrtime } from "node:process"; export const a = hrtime;`, rule: "no-restricted-imports" },
  {
    code: `import { readFileSync } from "fs"; export const a = readFileSync;`,
    rule: "no-restricted-imports",
  },
  {
    code: `import { setTimeout } from "timers/promises"; export const a = setTimeout;`,
    rule: "no-restricted-imports",
  },
];

const PROMISES: readonly string[] = [
  "export const a = Promise.resolve(1);",
  "export async function a() {}",
  "export const a = async () => {};",
  "export type A = Promise<number>;",
];

const DETERMINISTIC_FOLDERS = [
  "src/core",
  "src/ports",
  "harness/history",
  "harness/checkers",
  "harness/faults",
  "harness/workload",
  "harness/report",
  "harness/scenario",
  "scenarios",
];

describe("determinism rules", () => {
  test.each(WORLD)("$code breaks $rule", async ({ code, rule }) => {
    for (const folder of DETERMINISTIC_FOLDERS) {
      expect(await brokenRules(`${folder}/wrong.ts`, code), folder).toContain(rule);
    }
  });

  test.each(WORLD)("$code is allowed at the edge", async ({ code, rule }) => {
    for (const folder of [
      "src/runtime",
      "src/redis",
      "harness/backends/real",
      "harness/backends/local",
      "harness/cli",
    ]) {
      expect(await brokenRules(`${folder}/right.ts`, code), folder).not.toContain(rule);
    }
  });

  test.each(PROMISES)("%s is not for the core", async (code) => {
    const rules = await brokenRules("src/core/wrong.ts", code);

    expect(rules.some((rule) => ["no-restricted-globals", "no-restricted-syntax"].includes(rule))).toBe(true);
  });

  test("a promise may be typed in a port", async () => {
    expect(await brokenRules("src/ports/right.ts", "/** One. */\nexport type A = Promise<number>;")).toEqual(
      [],
    );
  });
});

describe("house style", () => {
  test("exports have names", async () => {
    for (const file of ["src/core/wrong.ts", "harness/runner/wrong.ts", "scenarios/wrong.ts"]) {
      expect(await brokenRules(file, "export default 1;"), file).toContain("no-restricted-syntax");
    }
  });

  test("what the coordinator exports is documented", async () => {
    expect(await brokenRules("src/wrong.ts", "export function wrong() {}")).toContain("jsdoc/require-jsdoc");
  });

  test("three parameters are enough", async () => {
    const code = "export const wrong = (a: 1, b: 1, c: 1, d: 1) => [a, b, c, d];";

    expect(await brokenRules("harness/runner/wrong.ts", code)).toContain("@typescript-eslint/max-params");
  });
});

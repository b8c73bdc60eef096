/**
 * Each rule of .dependency-cruiser.cjs is seen to fire: a small tree that breaks every one is made, and cruised
 * once with the repository's own configuration. A rule whose path no longer matches anything would pass for ever
 * otherwise.
 */
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";

const repository = join(import.meta.dirname, "..", "..");
const cruiser = join(repository, "node_modules", ".bin", "depcruise");
const configuration = join(repository, ".dependency-cruiser.cjs");

interface Violation {
  readonly from: string;
  readonly rule: { readonly name: string };
}

interface Cruise {
  readonly summary: { readonly violations: readonly Violation[] };
  readonly modules: readonly { readonly source: string; readonly dependencies: readonly unknown[] }[];
}

function writeTree(tree: string, files: Readonly<Record<string, string>>): void {
  const packages = ["ioredis", "toxiproxy-node-client", "commander"];
  const manifest = {
    name: "wrong-tree",
    type: "module",
    dependencies: Object.fromEntries(packages.map((name) => [name, "1.0.0"])),
    devDependencies: { "fast-check": "1.0.0", "@opentelemetry/api": "1.0.0" },
  };
  const installed = [...packages, "fast-check", "@opentelemetry/api"].flatMap((name) => [
    [
      `node_modules/${name}/package.json`,
      JSON.stringify({ name, version: "1.0.0", main: "index.js" }),
    ] as const,
    [`node_modules/${name}/index.js`, "module.exports = {};"] as const,
  ]);
  const all = { "package.json": JSON.stringify(manifest), ...Object.fromEntries(installed), ...files };
  for (const [path, text] of Object.entries<string>(all)) {
    mkdirSync(dirname(join(tree, path)), { recursive: true });
    writeFileSync(join(tree, path), text);
  }
}

function violations(files: Readonly<Record<string, string>>): readonly Violation[] {
  const tree = mkdtempSync(join(tmpdir(), "redlock-lab-architecture-"));
  try {
    writeTree(tree, files);
    const folders = [...new Set(Object.keys(files).map((path) => path.split("/")[0]!))];
    return cruise(tree, folders).summary.violations;
  } finally {
    rmSync(tree, { recursive: true });
  }
}

function cruise(folder: string, inside: readonly string[]): Cruise {
  const { stdout } = spawnSync(cruiser, ["--config", configuration, "--output-type", "json", ...inside], {
    cwd: folder,
    encoding: "utf8",
    maxBuffer: 64 * 1024 * 1024,
  });
  return JSON.parse(stdout) as Cruise;
}

const TARGET = "export const target = 1;\n";
const importing = (path: string) => `import { target } from "${path}";\nexport const used = target;\n`;

/** One entry for each rule: the file that breaks it, what it imports, and further files. */
const WRONG: readonly { rule: string; file: string; imports: string; others?: readonly string[] }[] = [
  {
    rule: "core-imports-only-ports",
    file: "src/core/acquire.ts",
    imports: "../lock.ts",
    others: ["src/lock.ts"],
  },
  { rule: "core-imports-only-ports", file: "src/core/extend.ts", imports: "ioredis" },
  {
    rule: "ports-import-nothing",
    file: "src/ports/node.ts",
    imports: "../errors.ts",
    others: ["src/errors.ts"],
  },
  {
    rule: "src-never-imports-the-laboratory",
    file: "src/redlock.ts",
    imports: "../harness/lab-error.ts",
    others: ["harness/lab-error.ts"],
  },
  { rule: "src-depends-on-ioredis-only", file: "src/redis/node.ts", imports: "commander" },
  {
    rule: "metrics-are-optional",
    file: "src/index.ts",
    imports: "./opentelemetry.ts",
    others: ["src/opentelemetry.ts"],
  },
  { rule: "metrics-are-optional", file: "src/observe.ts", imports: "@opentelemetry/api" },
  {
    rule: "scenarios-stay-data",
    file: "scenarios/s01.ts",
    imports: "../harness/backends/backend.ts",
    others: ["harness/backends/backend.ts"],
  },
  {
    rule: "scenarios-stay-data",
    file: "scenarios/s02.ts",
    imports: "../harness/runner/run-one.ts",
    others: ["harness/runner/run-one.ts"],
  },
  { rule: "scenarios-touch-nothing", file: "scenarios/s03.ts", imports: "node:fs" },
  { rule: "scenarios-touch-nothing", file: "scenarios/s04.ts", imports: "commander" },
  { rule: "only-the-edge-uses-node", file: "src/lock-timer.ts", imports: "node:timers" },
  { rule: "only-the-edge-uses-node", file: "harness/runner/save.ts", imports: "fs" },
  { rule: "only-the-edge-uses-clients", file: "src/open.ts", imports: "ioredis" },
  { rule: "only-the-edge-uses-clients", file: "harness/runner/proxy.ts", imports: "toxiproxy-node-client" },
  ...["history", "checkers", "faults", "workload", "scenario", "report"].map((folder) => ({
    rule: "deciders-do-not-perform",
    file: `harness/${folder}/decide.ts`,
    imports: "../runner/run-one.ts",
    others: ["harness/runner/run-one.ts"],
  })),
  {
    rule: "runner-knows-backends-by-interface",
    file: "harness/runner/choose.ts",
    imports: "../backends/local/local-backend.ts",
    others: ["harness/backends/local/local-backend.ts"],
  },
  {
    rule: "backends-only-play",
    file: "harness/backends/local/judge.ts",
    imports: "../../checkers/danger.ts",
    others: ["harness/checkers/danger.ts"],
  },
  { rule: "shipped-code-needs-no-dev-dependency", file: "harness/cli/draw.ts", imports: "fast-check" },
  {
    rule: "shipped-code-imports-no-tests",
    file: "harness/cli/demo.ts",
    imports: "./lab.fixture.ts",
    others: ["harness/cli/lab.fixture.ts"],
  },
  { rule: "resolvable", file: "harness/cli/main.ts", imports: "./nowhere.ts" },
];

const CIRCLE = {
  "src/ring-one.ts": `import type { Two } from "./ring-two.ts";\nexport interface One { two: Two }\n`,
  "src/ring-two.ts": `import type { One } from "./ring-one.ts";\nexport interface Two { one: One }\n`,
};

const ALLOWED = {
  "src/ports/node.ts": TARGET,
  "src/core/quorum.ts": TARGET,
  "src/core/acquire.ts": `${importing("../ports/node.ts")}export * from "./quorum.ts";\n`,
  "src/redis/node.ts": importing("ioredis"),
  "src/runtime/timers.ts": importing("node:timers"),
  "src/core/acquire.test.ts": importing("fast-check"),
  "src/opentelemetry.ts": `import type { target } from "@opentelemetry/api";\nexport type Used = typeof target;\n`,
  "harness/faults/fault.ts": importing("../../src/ports/node.ts"),
  "harness/backends/backend.ts": TARGET,
  "harness/backends/local/proxies.ts": importing("toxiproxy-node-client"),
  "harness/runner/run-one.ts": importing("../backends/backend.ts"),
  "harness/cli/main.ts": importing("node:fs"),
  "scenarios/s01.ts": importing("../harness/faults/fault.ts"),
};

describe("architecture rules", () => {
  let found: readonly Violation[];

  beforeAll(() => {
    const targets = WRONG.flatMap(({ others = [] }) => others).map((path) => [path, TARGET] as const);
    const wrong = WRONG.map(({ file, imports }) => [file, importing(imports)] as const);
    found = violations(Object.fromEntries([...targets, ...wrong, ...Object.entries(CIRCLE)]));
  });

  test.each(WRONG)("$rule: $file must not import $imports", ({ rule, file }) => {
    const rules = found.filter(({ from }) => from === file).map(({ rule: { name } }) => name);

    expect(rules).toContain(rule);
  });

  test("no-circular: two modules must not need each other, not even for types", () => {
    const circles = found.filter(({ rule }) => rule.name === "no-circular").map(({ from }) => from);

    expect(circles).toEqual(["src/ring-one.ts"]);
  });

  test("what is allowed breaks nothing", () => {
    expect(violations(ALLOWED)).toEqual([]);
  });

  test("every rule of the configuration is tried here", () => {
    const { forbidden } = createRequire(import.meta.url)(configuration) as { forbidden: { name: string }[] };
    const tried = new Set([...WRONG.map(({ rule }) => rule), "no-circular"]);

    expect([...tried].sort()).toEqual(forbidden.map(({ name }) => name).sort());
  });

  test("the repository's own TypeScript is looked at", () => {
    const { modules } = cruise(repository, ["src", "harness", "scenarios"]);
    const sources = modules.filter(({ source }) => source.endsWith(".ts"));

    expect(sources.length).toBeGreaterThan(50);
    expect(sources.some(({ dependencies }) => dependencies.length > 0)).toBe(true);
  });
});

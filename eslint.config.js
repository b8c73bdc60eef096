// What the house style can have checked. Formatting is Biome's.
import { builtinModules } from "node:module";
import { defineConfig, globalIgnores } from "eslint/config";
import jsdoc from "eslint-plugin-jsdoc";
import tseslint from "typescript-eslint";

const TESTS = ["**/*.test.ts", "**/*.fixture.ts", "tests/**/*.ts"];
const CONFIGURATION = ["vitest.config.ts"];

/** Whoever decides gives the same answer for the same input, on every machine and in a simulation. */
const DETERMINISTIC = [
  "src/core/**/*.ts",
  "src/ports/**/*.ts",
  "harness/{history,checkers,export,faults,workload,report,scenario}/**/*.ts",
  "scenarios/**/*.ts",
];

const NO_DEFAULT_EXPORT = {
  selector: "ExportDefaultDeclaration",
  message: "Export by name: a default has as many names as importers.",
};
const NO_LOCALE = {
  selector: "CallExpression[callee.property.name=/^(toLocale\\w+|localeCompare)$/]",
  message: "Depends on the machine's locale.",
};
const NO_PROMISE_SYNTAX = {
  selector:
    ":function[async=true], AwaitExpression, ForOfStatement[await=true], TSTypeReference > Identifier[name=/^Promise(Like)?$/]",
  message: "Procedures are synchronous: yield an effect.",
};

const WORLD_GLOBALS = [
  "Date",
  "performance",
  "setTimeout",
  "setInterval",
  "setImmediate",
  "queueMicrotask",
  "process",
  "crypto",
  "WeakRef",
  "FinalizationRegistry",
  "Intl",
  "fetch",
  "console",
];
const NODE_MODULES = {
  regex: `^(node:.*|(${builtinModules.filter((name) => !name.startsWith("_")).join("|")}))$`,
  message: "Touches the world: only src/runtime, src/redis, src/fencing, the real backends and the CLI may.",
};

function forbidGlobals(names) {
  const globals = names.map((name) => ({ name, message: "Time, chance and the world come in by a port." }));
  return ["error", { globals, checkGlobalObject: true }];
}

/** Everything but the edge: src/runtime, src/redis, src/fencing, the real backends and the CLI touch the world. */
const AWAY_FROM_THE_WORLD = ["src/*.ts", "harness/*.ts", "harness/runner/**/*.ts", ...DETERMINISTIC];

export default defineConfig(
  globalIgnores(["**/dist/", "node_modules/", "coverage/", "redlock-lab-results/", "reports/"]),
  {
    name: "typed",
    files: ["**/*.ts"],
    extends: [tseslint.configs.strictTypeChecked],
    linterOptions: { reportUnusedDisableDirectives: "error" },
    // Not the project service: it would take src/tsconfig.build.json, which leaves tests out, for nearest.
    languageOptions: { parserOptions: { project: "./tsconfig.json", tsconfigRootDir: import.meta.dirname } },
    rules: {
      eqeqeq: "error",
      "max-depth": ["error", 3],
      "max-lines": ["error", 300],
      "max-lines-per-function": ["error", { max: 50, skipComments: true }],
      "no-console": "error",
      "no-restricted-syntax": ["error", NO_DEFAULT_EXPORT],
      "@typescript-eslint/max-params": ["error", { max: 3 }],
      "@typescript-eslint/no-confusing-void-expression": [
        "error",
        { ignoreArrowShorthand: true, ignoreVoidReturningFunctions: true },
      ],
      "@typescript-eslint/no-floating-promises": ["error", { checkThenables: true }],
      "@typescript-eslint/no-misused-spread": ["error", { allow: ["string"] }],
      "@typescript-eslint/no-unsafe-type-assertion": "error",
      "@typescript-eslint/no-unused-vars": ["error", { ignoreRestSiblings: true }],
      "@typescript-eslint/prefer-readonly": "error",
      "@typescript-eslint/restrict-template-expressions": ["error", { allowNumber: true }],
      "@typescript-eslint/switch-exhaustiveness-check": [
        "error",
        // Unions of dozens of events: a written default is a decision, a forgotten case is not.
        { considerDefaultExhaustiveForUnions: true, requireDefaultForNonUnion: true },
      ],
    },
  },
  {
    name: "away from the world",
    files: AWAY_FROM_THE_WORLD,
    ignores: TESTS,
    rules: { "no-restricted-globals": forbidGlobals(WORLD_GLOBALS) },
  },
  {
    name: "deterministic",
    files: DETERMINISTIC,
    ignores: TESTS,
    rules: {
      "no-restricted-imports": ["error", { patterns: [NODE_MODULES] }],
      "no-restricted-properties": [
        "error",
        { object: "Math", property: "random", message: "Draw from a stream that the caller gives." },
        { object: "AbortSignal", property: "timeout", message: "Time comes in by a port." },
      ],
      "no-restricted-syntax": ["error", NO_DEFAULT_EXPORT, NO_LOCALE],
    },
  },
  {
    name: "synchronous",
    files: ["src/core/**/*.ts"],
    ignores: TESTS,
    rules: {
      "no-restricted-globals": forbidGlobals([...WORLD_GLOBALS, "Promise", "PromiseLike"]),
      "no-restricted-syntax": ["error", NO_DEFAULT_EXPORT, NO_LOCALE, NO_PROMISE_SYNTAX],
    },
  },
  {
    name: "documented",
    files: ["src/**/*.ts"],
    ignores: TESTS,
    plugins: { jsdoc },
    rules: {
      "jsdoc/require-jsdoc": [
        "error",
        {
          publicOnly: true,
          require: { FunctionDeclaration: true, ClassDeclaration: true, ArrowFunctionExpression: false },
          contexts: ["TSInterfaceDeclaration"],
        },
      ],
      "jsdoc/check-tag-names": ["error", { typed: true }],
      "jsdoc/no-types": "error",
    },
  },
  {
    name: "tests",
    files: TESTS,
    rules: {
      "max-lines": "off",
      "max-lines-per-function": "off",
      "@typescript-eslint/max-params": "off",
      "@typescript-eslint/no-non-null-assertion": "off",
      // Matchers such as expect.any() are of type any.
      "@typescript-eslint/no-unsafe-assignment": "off",
      "@typescript-eslint/no-unsafe-type-assertion": "off",
      "@typescript-eslint/require-await": "off",
      "@typescript-eslint/unbound-method": "off",
    },
  },
  {
    name: "configuration",
    files: CONFIGURATION,
    rules: { "no-restricted-syntax": "off" },
  },
);

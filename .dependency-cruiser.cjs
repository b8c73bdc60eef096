// States who may import whom (design: "Who may import whom"). Paths are relative to the repository, so the same
// rules can be tried on a small wrong tree: tests/repository/architecture.test.ts does that for each of them.

const TEST_FILE = "[.](test|fixture)[.]ts$";
const WORLD_FOLDERS = "^(src/(runtime|redis|fencing)|harness/(backends/(real|local|docker|external)|cli))/";
const PURE_FOLDERS = "^harness/(history|checkers|export|faults|workload|scenario|report|strategies)/";

/** A rule for shipped code: tests beside the code may import what they like. */
function forbid(name, comment, from, to) {
  return { name, comment, severity: "error", from: { pathNot: TEST_FILE, ...from }, to };
}

module.exports = {
  forbidden: [
    forbid(
      "no-circular",
      "Two modules that need each other are one, or lack a third.",
      {},
      { circular: true },
    ),
    forbid(
      "core-imports-only-ports",
      "The algorithm is written once, synchronously, with no I/O in it.",
      { path: "^src/core/" },
      { pathNot: "^src/(core|ports)/" },
    ),
    forbid(
      "ports-import-nothing",
      "Ports are the innermost ring: types that everything else is built from.",
      { path: "^src/ports/" },
      { pathNot: "^src/ports/" },
    ),
    forbid(
      "src-never-imports-the-laboratory",
      "The coordinator is shipped alone and knows nothing of what puts it on trial.",
      { path: "^src/" },
      { path: "^(harness|scenarios|tests|bin)/" },
    ),
    forbid(
      "src-depends-on-ioredis-only",
      "The coordinator's own manifest names one dependency.",
      { path: "^src/" },
      { path: "node_modules/", pathNot: "node_modules/(ioredis|@types/node|@opentelemetry/api)/" },
    ),
    forbid(
      "metrics-are-optional",
      "Only who imports the metrics' entry point needs OpenTelemetry's types.",
      { path: "^src/", pathNot: [TEST_FILE, "^src/opentelemetry[.]ts$"] },
      { path: "(node_modules/@opentelemetry/|^src/opentelemetry[.]ts$)" },
    ),
    forbid(
      "scenarios-stay-data",
      "A story is told without knowing where it is played.",
      { path: "^scenarios/" },
      { path: "^harness/(backends|runner|cli|report)/" },
    ),
    forbid(
      "scenarios-touch-nothing",
      "A story is data: it needs no package and no module of Node.js.",
      { path: "^scenarios/" },
      { dependencyTypes: ["core", "npm", "npm-dev", "npm-no-pkg", "npm-optional", "npm-peer"] },
    ),
    forbid(
      "only-the-edge-uses-node",
      "Only src/runtime, src/redis, src/fencing, the real backends and the CLI touch the world.",
      { path: "^(src|harness)/", pathNot: [TEST_FILE, WORLD_FOLDERS] },
      { dependencyTypes: ["core"] },
    ),
    forbid(
      "only-the-edge-uses-clients",
      "Connections to servers and proxies are made at the edge.",
      { path: "^(src|harness|scenarios)/", pathNot: [TEST_FILE, WORLD_FOLDERS] },
      { path: "node_modules/(ioredis|toxiproxy-node-client)/" },
    ),
    forbid(
      "deciders-do-not-perform",
      "Who decides (history, checkers, report, what a scenario is) does not perform.",
      { path: PURE_FOLDERS },
      { path: "^(harness/(backends|runner|cli)|src/(runtime|redis|fencing))/" },
    ),
    forbid(
      "runner-knows-backends-by-interface",
      "The runner knows backends by their interface only.",
      { path: "^harness/runner/" },
      { path: "^harness/(backends/[^/]+/|cli/)" },
    ),
    forbid(
      "backends-only-play",
      "A backend plays a plan; who runs and judges it is none of its business.",
      { path: "^harness/backends/" },
      { path: "^(harness/(runner|cli|report|checkers)|scenarios)/" },
    ),
    forbid(
      "shipped-code-needs-no-dev-dependency",
      "A user's installation has no devDependencies.",
      { path: "^(src|harness|scenarios)/" },
      { dependencyTypes: ["npm-dev"], dependencyTypesNot: ["type-only"], pathNot: "node_modules/@types/" },
    ),
    forbid(
      "shipped-code-imports-no-tests",
      "Tests and fixtures are not built.",
      { path: "^(src|harness|scenarios)/" },
      { path: [TEST_FILE, "^tests/"] },
    ),
    {
      name: "resolvable",
      comment: "An import that leads nowhere.",
      severity: "error",
      from: {},
      to: { couldNotResolve: true },
    },
  ],
  options: {
    doNotFollow: { path: "node_modules" },
    exclude: { path: "(^|/)dist/" },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      exportsFields: ["exports"],
      conditionNames: ["import", "node", "default", "types"],
      extensions: [".ts", ".js", ".json", ".d.ts"],
    },
  },
};

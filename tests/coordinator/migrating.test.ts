/** docs/migrating.md: what it shows of the new side runs, on nodes that have been in use before. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { compileFunction } from "node:vm";
import { Redis } from "ioredis";
import { afterAll, beforeAll, expect, test } from "vitest";
import * as coordinator from "../../src/index.ts";
import * as redlock5 from "../../src/redlock-5.ts";
import { type Cluster, openCluster } from "../peers/cluster.fixture.ts";

const guide = readFileSync(join(import.meta.dirname, "..", "..", "docs", "migrating.md"), "utf8");

const MODULES: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  "@redlock-lab/coordinator": coordinator,
  "@redlock-lab/coordinator/redlock-5": redlock5,
};

const IMPORT = /^import \{ (?<names>[^}]+) \} from "(?<from>[^"]+)";$/gm;

/** Each snippet under the heading it stands below. */
const snippets = [...guide.matchAll(/^```js\n(?<code>.*?)^```$/gms)].map((found) => {
  const heading =
    guide
      .slice(0, found.index)
      .match(/^##+ .*$/gm)
      ?.at(-1) ?? "";
  return { heading, code: found.groups?.["code"] ?? "" };
});

let cluster: Cluster;

beforeAll(async () => {
  cluster = await openCluster(3, { restartGuard: { firstUse: "trust" } });
});

afterAll(async () => {
  await cluster.close();
});

function imported(code: string): Record<string, unknown> {
  const entries = [...code.matchAll(IMPORT)].flatMap(({ groups }) => {
    const exported = MODULES[groups?.["from"] ?? ""] ?? {};
    return (groups?.["names"] ?? "").split(", ").map((name) => [name, exported[name]]);
  });
  expect(entries.filter(([, value]) => value === undefined)).toEqual([]);
  return Object.fromEntries(entries) as Record<string, unknown>;
}

async function run(code: string, scope: Readonly<Record<string, unknown>>): Promise<void> {
  const names = { ...scope, ...imported(code) };
  // A function of its own lets a snippet call its coordinator as the shared one is called.
  const body = `return (async () => {\n${code.replaceAll(IMPORT, "")}\n})();`;
  const snippet = compileFunction(body, Object.keys(names)) as (...values: unknown[]) => Promise<void>;
  await snippet(...Object.values(names));
}

test("there are snippets for every library", () => {
  expect(snippets.map(({ heading }) => heading)).toEqual([
    "## What is different for everybody",
    "## redlock 5",
    "### In the coordinator's own words",
    "## @sesamecare-oss/redlock",
    "## redlock 4",
    "## redlock-universal",
    "## redis-semaphore",
  ]);
});

test.each(snippets)("$heading", async ({ code }) => {
  const clients = cluster.servers.map(({ port }) => new Redis({ host: "127.0.0.1", port }));
  const logged: unknown[] = [];
  await run(code, {
    ...{ clients, addresses: cluster.urls, redlock: cluster.redlock },
    work: () => Promise.resolve(false),
    log: (...said: unknown[]) => logged.push(...said),
  });
  for (const client of clients) client.disconnect();
  expect(logged.filter((said) => said instanceof coordinator.RedlockError && said.code === "misuse")).toEqual(
    [],
  );
  await expect
    .poll(() => cluster.keysOf("*"))
    .toEqual(["A", "B", "C"].map((name) => `${name} redlock:guard`));
});

/** Loads a user's own story from a file. TypeScript is compiled on the way, with tsx. */
import { existsSync, statSync } from "node:fs";
import { extname, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { UsageError } from "../../lab-error.ts";
import { defineScenario } from "../../scenario/define-scenario.ts";
import type { Scenario } from "../../scenario/scenario.ts";
import { oneLine } from "../failure.ts";

const TYPESCRIPT = [".ts", ".mts"];
const JAVASCRIPT = [".js", ".mjs"];

/** Ids and aliases hold neither dots nor slashes. */
export function isStoryPath(name: string): boolean {
  return /[./\\]/.test(name);
}

/** @throws UsageError one sentence that begins with the path. */
export async function loadStory(path: string): Promise<Scenario> {
  const file = resolve(path);
  if (![...TYPESCRIPT, ...JAVASCRIPT].includes(extname(file))) {
    throw new UsageError(`${path} is no story: its name has to end with .ts, .mts, .js or .mjs.`);
  }
  if (!existsSync(file) || !statSync(file).isFile()) throw new UsageError(`There is no file ${path}.`);

  const candidate = scenarioIn(await loadModule(path, file));
  if (candidate === undefined) {
    throw new UsageError(
      `${path} exports no scenario: it needs a default export, or one called scenario, made by defineScenario.`,
    );
  }
  return checked(candidate, path);
}

async function loadModule(path: string, file: string): Promise<unknown> {
  const url = pathToFileURL(file).href;
  try {
    if (JAVASCRIPT.includes(extname(file))) return await import(url);
    // It would keep what it compiled among the temporary files, and one story is compiled in no time.
    process.env["TSX_DISABLE_CACHE"] = "1";
    const { tsImport } = await import("tsx/esm/api");
    return await tsImport(url, import.meta.url);
  } catch (cause) {
    // Also what defineScenario had to say, when the file called it.
    throw new UsageError(`${path} cannot be loaded: ${reasonOf(cause)}`, { cause });
  }
}

function reasonOf(cause: unknown): string {
  const reason = cause instanceof Error ? cause.message : String(cause);
  if (/Cannot find (module|package) '?redlock-lab/.test(reason)) {
    return "it imports redlock-lab, which is not installed there; run `npm install redlock-lab` in its folder.";
  }
  return oneLine(reason);
}

/** A TypeScript file outside an ESM package arrives as CommonJS, its exports one `default` deeper. */
function scenarioIn(loaded: unknown): Scenario | undefined {
  const outer = exportsOf(loaded);
  const candidates = [outer, ...outer.map(exportsOf)].flat();
  return candidates.find(looksLikeScenario);
}

function exportsOf(loaded: unknown): readonly unknown[] {
  if (typeof loaded !== "object" || loaded === null) return [];
  return [
    "default" in loaded ? loaded.default : undefined,
    "scenario" in loaded ? loaded.scenario : undefined,
  ];
}

/** A first look; `checked` looks at every field. */
function looksLikeScenario(candidate: unknown): candidate is Scenario {
  return typeof candidate === "object" && candidate !== null && "id" in candidate && "story" in candidate;
}

/**
 * Not whether it was made by `defineScenario` is asked but whether that would take it: the file may have loaded
 * another copy of this package.
 */
function checked(candidate: Scenario, path: string): Scenario {
  try {
    return defineScenario(candidate);
  } catch (cause) {
    throw new UsageError(`${path}: ${reasonOf(cause)}`, { cause });
  }
}

import { execFileSync } from "node:child_process";
import { pathToFileURL } from "node:url";
import { compiledFile } from "../../../harness/backends/real/package-files.ts";
import { medianOf } from "../../simulation/measure.ts";
import type { Part } from "../part.ts";

const ROUND_COUNT = 9;
/** Two processes never start equally fast. */
const RATIO_MAX = 1.05;

/** How long a program takes to have the library at hand, its client included. */
export const measureImport: Part = ({ peers, peersFolder, scale }) => {
  if (!peers.includes("redlock-5")) return Promise.resolve([]);
  const ours = [pathToFileURL(compiledFile("src/index.ts")).href];
  const theirs = ["ioredis", "redlock-5"];
  const ourMs: number[] = [];
  const theirMs: number[] = [];
  for (let round = 0; round < Math.ceil(ROUND_COUNT * scale); round++) {
    ourMs.push(importMs(ours, peersFolder));
    theirMs.push(importMs(theirs, peersFolder));
  }
  return Promise.resolve([
    {
      figure: "import ms",
      ours: medianOf(ourMs),
      baseline: { name: "redlock-5 + ioredis", value: medianOf(theirMs) },
      ratio: medianOf(ourMs.map((value, round) => value / (theirMs[round] ?? Number.NaN))),
      target: { atMost: RATIO_MAX },
    },
  ]);
};

function importMs(specifiers: readonly string[], cwd: string): number {
  const imports = specifiers.map((specifier) => `await import(${JSON.stringify(specifier)});`).join("");
  const script = `const start = performance.now(); ${imports} console.log(performance.now() - start);`;
  return Number(
    execFileSync(process.execPath, ["--input-type=module", "-e", script], { cwd, encoding: "utf8" }),
  );
}

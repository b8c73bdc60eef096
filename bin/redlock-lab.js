#!/usr/bin/env node
// Committed with its run bit, because a rebuilt dist has none; loads the compiled command line.
import { existsSync } from "node:fs";

const main = new URL("../dist/harness/cli/main.js", import.meta.url);

if (existsSync(main)) {
  const cli = await import(main.href);
  process.exitCode = await cli.main(process.argv.slice(2));
} else {
  console.error("redlock-lab: the compiled code is missing; run `npm run build` (or `npm ci`) first.");
  process.exitCode = 70;
}

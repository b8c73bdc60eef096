/**
 * `npm run bench:sim`: how fast the simulated laboratory plays and judges, on this machine, in one process.
 * `--json FILE` writes the figures too; `--schedules N` shortens the long run that memory is looked at in.
 */
import { writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { measureMemory } from "./memory.ts";
import { measureJudging } from "./million-holds.ts";
import { measureSchedules } from "./reference-schedules.ts";
import { measureShrinking } from "./shrinking.ts";
import { figuresOf, lineOf, type Measured } from "./figures.ts";

const HOLD_COUNT = 1_000_000;
const SCHEDULE_COUNT = 100_000;

const { values: given } = parseArgs({
  options: { json: { type: "string" }, schedules: { type: "string", default: String(SCHEDULE_COUNT) } },
});

const measured: Measured = {
  schedules: measureSchedules(),
  memory: measureMemory(Number(given.schedules)),
  judging: measureJudging(HOLD_COUNT),
  shrinking: measureShrinking(),
};
const figures = figuresOf(measured);
for (const figure of figures) process.stdout.write(`${lineOf(figure)}\n`);
if (given.json !== undefined) writeFileSync(given.json, `${JSON.stringify({ figures }, undefined, 2)}\n`);

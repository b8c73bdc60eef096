/** The process of `npm run contract`. */
import { randomInt } from "node:crypto";
import { contractCommand } from "./contract-command.ts";
import { simulatedSide } from "./simulated-side.ts";

const SEEDS = 2 ** 31;

process.exitCode = await contractCommand(process.argv.slice(2), {
  print: (text) => process.stdout.write(text),
  complain: (text) => process.stderr.write(text),
  drawSeed: () => randomInt(SEEDS),
  simulatedSide,
});

/** Colours where a person looks: on a terminal, unless the environment says otherwise. */
import pico from "picocolors";
import type { Palette } from "../report/palette.ts";
import type { CliWorld, Output } from "./world.ts";

export function paletteFor({ isTerminal }: Output, env: CliWorld["env"]): Palette {
  const colours = pico.createColors(wantsColour(isTerminal, env));
  return {
    good: colours.green,
    bad: (text) => colours.bold(colours.red(text)),
    notable: colours.yellow,
    faint: colours.dim,
    strong: colours.bold,
    workers: [colours.cyan, colours.magenta, colours.blue, colours.yellow],
  };
}

/** https://no-color.org and its counterpart: set and not empty counts, whatever the value. */
function wantsColour(isTerminal: boolean, env: CliWorld["env"]): boolean {
  if (isSet(env["NO_COLOR"])) return false;
  if (isSet(env["FORCE_COLOR"])) return env["FORCE_COLOR"] !== "0";
  return isTerminal && env["TERM"] !== "dumb";
}

function isSet(value: string | undefined): boolean {
  return value !== undefined && value !== "";
}

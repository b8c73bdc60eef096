/** `redlock-lab list`: what there is to play. */
import { scenarioListJson, scenarioListText } from "../report/scenario-list.ts";
import { WIDTH_DEFAULT } from "../report/timeline.ts";
import { paletteFor } from "./colours.ts";
import type { CliWorld } from "./world.ts";

const WIDTH_MIN = 40;

export function listCommand(
  { json = false }: { readonly json?: boolean },
  { out, env, laboratory }: CliWorld,
): void {
  const { scenarios } = laboratory;
  if (json) {
    out.write(scenarioListJson(scenarios));
    return;
  }
  const width = Math.max(WIDTH_MIN, Math.min(out.columns ?? WIDTH_DEFAULT, WIDTH_DEFAULT));
  out.write(scenarioListText(scenarios, { width, palette: paletteFor(out, env) }));
}

/** `redlock-lab list`: what there is to play, and what there is to put on trial. */
import { scenarioListJson, scenarioListText } from "../report/scenario-list.ts";
import { strategyListJson, strategyListText } from "../report/strategy-list.ts";
import { WIDTH_DEFAULT } from "../report/timeline.ts";
import { STRATEGIES } from "../strategies/all-strategies.ts";
import { paletteFor } from "./colours.ts";
import type { CliWorld } from "./world.ts";

export interface ListOptions {
  readonly json?: boolean;
  /** Strategies instead of stories. */
  readonly strategies?: boolean;
}

const WIDTH_MIN = 40;

export function listCommand(
  { json = false, strategies = false }: ListOptions,
  { out, env, laboratory: { scenarios } }: CliWorld,
): void {
  if (json) {
    out.write(strategies ? strategyListJson(STRATEGIES) : scenarioListJson(scenarios));
    return;
  }
  const width = Math.max(WIDTH_MIN, Math.min(out.columns ?? WIDTH_DEFAULT, WIDTH_DEFAULT));
  const options = { width, palette: paletteFor(out, env) };
  out.write(strategies ? strategyListText(STRATEGIES, options) : scenarioListText(scenarios, options));
}

/** What can be put on trial, for people and for programs. */
import type { Strategy } from "../strategies/strategy.ts";
import { type Palette, PLAIN_PALETTE } from "./palette.ts";
import { wrapLines } from "./wrap-lines.ts";

const LIST_SCHEMA = "redlock-lab/strategies/1";
const INDENT = 2;
const GAP = "  ";

type Listed = Pick<Strategy, "name" | "summary">;

export function strategyListText(
  strategies: readonly Listed[],
  { width, palette = PLAIN_PALETTE }: { readonly width: number; readonly palette?: Palette },
): string {
  const nameWidth = Math.max(...strategies.map(({ name }) => name.length));
  const margin = "".padEnd(nameWidth + GAP.length);
  const lines = strategies.flatMap(({ name, summary }) => {
    const [first = "", ...others] = wrapLines(summary, width - margin.length);
    const rest = others.map((line) => `${margin}${line}`);
    return [`${palette.strong(name.padEnd(nameWidth))}${GAP}${first}`, ...rest];
  });
  return `${lines.join("\n")}\n`;
}

export function strategyListJson(strategies: readonly Listed[]): string {
  const list = {
    schema: LIST_SCHEMA,
    strategies: strategies.map(({ name, summary }) => ({ name, summary })),
  };
  return `${JSON.stringify(list, undefined, INDENT)}\n`;
}

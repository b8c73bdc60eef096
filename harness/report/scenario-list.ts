/** What there is to play, for people and for programs. */
import type { Scenario, Variant } from "../scenario/scenario.ts";
import { type Palette, PLAIN_PALETTE } from "./palette.ts";
import { wrapLines } from "./wrap-lines.ts";

const LIST_SCHEMA = "redlock-lab/list/1";
const INDENT = 2;
const MARGIN = "     ";

export interface ListOptions {
  readonly width: number;
  readonly palette?: Palette;
}

export function scenarioListText(
  scenarios: readonly Scenario[],
  { width, palette = PLAIN_PALETTE }: ListOptions,
): string {
  const blocks = scenarios.map((scenario) => {
    const { id, title, summary, aliases = [], variants } = scenario;
    const nameWidth = Math.max(...variants.map(({ name }) => name.length));
    return [
      `${palette.strong(id.padEnd(MARGIN.length - 1))} ${palette.strong(title)}`,
      ...indented(summary, width, MARGIN),
      ...variants.flatMap((variant) => variantLines(variant, nameWidth, { width, palette })),
      ...aliases.flatMap(({ name, source }) =>
        indented(`alias ${name}: ${source}`, width, MARGIN).map((line) => palette.faint(line)),
      ),
    ].join("\n");
  });
  return `${blocks.join("\n\n")}\n`;
}

export function scenarioListJson(scenarios: readonly Scenario[]): string {
  const list = {
    schema: LIST_SCHEMA,
    scenarios: scenarios.map(({ id, title, summary, aliases = [], settings = {}, variants }) => ({
      id,
      title,
      summary,
      aliases,
      settings,
      variants: variants.map((variant) => ({ settings: {}, ...variant })),
    })),
  };
  return `${JSON.stringify(list, undefined, INDENT)}\n`;
}

function variantLines(
  variant: Variant,
  nameWidth: number,
  { width, palette }: Required<ListOptions>,
): readonly string[] {
  const margin = `${MARGIN}  ${"".padEnd(nameWidth)}  `;
  const [first = "", ...others] = indented(variant.summary, width, margin);
  const name = `${MARGIN}- ${variant.name.padEnd(nameWidth)}  `;
  const expected = indented(expectationText(variant), width, margin);
  const paint = expectedViolations(variant).length > 0 ? palette.notable : palette.good;
  return [`${name}${first.slice(margin.length)}`, ...others, ...expected.map(paint)];
}

/** Only what differs from "everything holds" is named. */
function expectationText({ expect }: Variant): string {
  const violated = expectedViolations({ expect });
  const excused = Object.entries(expect).flatMap(([checker, kind]) => (kind === "any" ? [checker] : []));
  const found =
    violated.length === 0 ? "expected: everything holds" : `expected: a violation of ${violated.join(", ")}`;
  return excused.length === 0 ? found : `${found}; not judged: ${excused.join(", ")}`;
}

function expectedViolations({ expect }: Pick<Variant, "expect">): readonly string[] {
  return Object.entries(expect).flatMap(([checker, kind]) => (kind === "invalid" ? [checker] : []));
}

function indented(text: string, width: number, margin: string): readonly string[] {
  return wrapLines(text, width - margin.length).map((line) => `${margin}${line}`);
}

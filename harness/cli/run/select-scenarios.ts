/** From the words on the command line to scenarios: ids in any case, aliases, or files of the user's own. */
import { UsageError } from "../../lab-error.ts";
import type { Scenario } from "../../scenario/scenario.ts";
import { isStoryPath } from "./load-story.ts";
import { nearestName } from "./nearest-name.ts";

export interface Selection {
  readonly scenarios: readonly Scenario[];
  /** Which file a scenario came from, by its id. */
  readonly files: ReadonlyMap<string, string>;
}

/**
 * In the order given, each once; all of the laboratory's own where no name is given.
 *
 * @throws UsageError one sentence: a name that nothing has, a file that cannot be used, or two stories of one id.
 */
export async function selectScenarios(
  names: readonly string[],
  known: readonly Scenario[],
  loadStory: (path: string) => Promise<Scenario>,
): Promise<Selection> {
  if (names.length === 0) return { scenarios: known, files: new Map() };
  const scenarios = new Map<string, Scenario>();
  const files = new Map<string, string>();
  for (const name of names) {
    const scenario = isStoryPath(name) ? await loadStory(name) : findScenario(name, known);
    const before = scenarios.get(scenario.id);
    if (
      before !== undefined &&
      (isStoryPath(name) || files.has(scenario.id)) &&
      files.get(scenario.id) !== name
    ) {
      throw new UsageError(`Two of the stories are called ${scenario.id}; give yours another id.`);
    }
    if (isStoryPath(name)) files.set(scenario.id, name);
    scenarios.set(scenario.id, before ?? scenario);
  }
  return { scenarios: [...scenarios.values()], files };
}

function findScenario(name: string, known: readonly Scenario[]): Scenario {
  const typed = name.toLowerCase();
  const found = known.find((scenario) => namesOf(scenario).some((own) => own.toLowerCase() === typed));
  if (found !== undefined) return found;
  const nearest = nearestName(name, known.flatMap(namesOf));
  const guess = nearest === undefined ? "" : `; did you mean ${nearest}?`;
  const ids = `${known[0]?.id ?? "none"} to ${known.at(-1)?.id ?? "none"}`;
  throw new UsageError(
    `There is no scenario ${JSON.stringify(name)}${guess || "."} There are ${ids}; \`redlock-lab list\` tells them.`,
  );
}

function namesOf({ id, aliases = [] }: Scenario): readonly string[] {
  return [id, ...aliases.map(({ name }) => name)];
}

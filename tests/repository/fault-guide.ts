/** docs/faults.md: which fault and which story can be had on which backend, and why not. Pure. */
import { FAULT_CATALOGUE } from "../../harness/faults/fault-catalogue.ts";
import { LOCAL_LIMITS, missingOnLocal } from "../../harness/faults/local-capability.ts";
import { resolvePlan } from "../../harness/scenario/resolve-plan.ts";
import type { Scenario, Variant } from "../../harness/scenario/scenario.ts";

/** The command that writes it. */
const COMMAND = "npm run docs:faults";

export function faultGuide(scenarios: readonly Scenario[]): string {
  return [
    "# Faults and backends",
    "",
    `<!-- Written by \`${COMMAND}\`. A test compares it. -->`,
    "",
    "The `simulated` backend, which is the default, can do everything that is listed here. The `local` backend",
    "works on real servers and processes of this machine, and cannot do all of it. A story that is named on a",
    "backend that cannot play it is inconclusive (exit code 2); without names it is skipped, with its reason.",
    "",
    "## Faults",
    "",
    ...table(["fault", "what happens", "on `local`"], faultRows()),
    "",
    "Where the table says *by the clock shim*, the server is started with a small library in front of it that",
    "moves its clock and its disk: that needs Linux and a C compiler, and `redlock-lab doctor` says whether this",
    "machine has them.",
    "",
    "## What else a story may ask for",
    "",
    ...table(
      ["a story may ask for", "why not on `local`"],
      LOCAL_LIMITS.map(({ what, obstacle }) => [what, obstacle]),
    ),
    "",
    "## Stories",
    "",
    "Behind a *no* stands what the story asks for and `local` does not have; the tables above say why.",
    "",
    ...table(["story", "variants", "on `local`"], scenarios.flatMap(storyRows)),
    "",
  ].join("\n");
}

function faultRows(): readonly (readonly string[])[] {
  return Object.entries(FAULT_CATALOGUE).map(([kind, { summary, localObstacle, needsShim }]) => {
    const local = localObstacle === undefined ? "yes" : `no: ${localObstacle}`;
    return [`\`${kind}\``, summary, needsShim === true ? "yes, by the clock shim" : local];
  });
}

/** A row for all variants that have the same answer. */
function storyRows(scenario: Scenario): readonly (readonly string[])[] {
  const answers = new Map<string, string[]>();
  for (const variant of scenario.variants) {
    const answer = answerFor(scenario, variant);
    answers.set(answer, [...(answers.get(answer) ?? []), variant.name]);
  }
  return [...answers].map(([answer, variants], index) => [
    index === 0 ? `${scenario.id} ${scenario.title}` : "",
    variants.join(", "),
    answer,
  ]);
}

function answerFor(scenario: Scenario, variant: Variant): string {
  const missing = missingOnLocal(resolvePlan({ scenario, variant, overrides: {}, seed: "1" }));
  return missing.length === 0 ? "yes" : `no: ${missing.map(({ what }) => what).join(", ")}`;
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): readonly string[] {
  return [head, head.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`);
}

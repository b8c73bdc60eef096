import { describe, expect, test } from "vitest";
import { strategyListJson, strategyListText } from "./strategy-list.ts";

const STRATEGIES = [
  { name: "redlock", summary: "The coordinator as it is shipped." },
  { name: "mutant:no-undo", summary: "A lost attempt is not undone." },
];

describe("strategyListText", () => {
  test("is a line for each strategy, its names in one column", () => {
    expect(strategyListText(STRATEGIES, { width: 80 })).toBe(
      "redlock         The coordinator as it is shipped.\n" +
        "mutant:no-undo  A lost attempt is not undone.\n",
    );
  });

  test("what is too long goes on beneath", () => {
    expect(strategyListText(STRATEGIES.slice(1), { width: 32 })).toBe(
      "mutant:no-undo  A lost attempt\n                is not undone.\n",
    );
  });
});

describe("strategyListJson", () => {
  test("has names and summaries, under a schema", () => {
    expect(JSON.parse(strategyListJson(STRATEGIES))).toEqual({
      schema: "redlock-lab/strategies/1",
      strategies: STRATEGIES,
    });
  });
});

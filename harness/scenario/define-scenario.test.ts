import { describe, expect, test } from "vitest";
import { UsageError } from "../lab-error.ts";
import { defineScenario } from "./define-scenario.ts";
import type { Scenario } from "./scenario.ts";

const scenario: Scenario = {
  id: "my-story",
  title: "My story",
  summary: "What happens.",
  aliases: [{ name: "an-alias", source: "A paper" }],
  settings: { ttlMs: 500 },
  story: () => {
    throw new Error("is told later");
  },
  variants: [{ name: "plain", summary: "As it is told.", expect: { stale: "invalid" } }],
};
/** What a user's JavaScript may hand over. */
const define = (change: object): Scenario => defineScenario({ ...scenario, ...change });
const variant = (change: object): object => ({ variants: [{ ...scenario.variants[0], ...change }] });

describe("defineScenario", () => {
  test("returns the scenario unchanged and tells nothing yet", () => {
    expect(defineScenario(scenario)).toBe(scenario);
  });

  test.each<[object, string]>([
    [{ id: "" }, "The scenario: id is wrong (expected letters, digits and single dashes)."],
    [{ id: "../x" }, "The scenario: id is wrong (expected letters, digits and single dashes)."],
    [{ title: "" }, "Scenario my-story: title is wrong (too small: expected string to have >=1 characters)."],
    [{ story: 3 }, "Scenario my-story: story is wrong (expected a function of the settings)."],
    [{ variants: [] }, "Scenario my-story: variants is wrong (at least one variant is needed)."],
    [
      variant({ name: "Not Kebab" }),
      "Scenario my-story: variants.0.name is wrong (expected lower-case letters, digits and single dashes).",
    ],
    [
      variant({ expect: { stal: "valid" } }),
      'Scenario my-story: variants.0.expect is wrong (unrecognized key: "stal").',
    ],
    [
      variant({ expect: { stale: "broken" } }),
      'Scenario my-story: variants.0.expect.stale is wrong (invalid option: expected one of "valid"|"invalid"|"any").',
    ],
    [
      variant({ settings: { nodeCount: 12 } }),
      "Scenario my-story: variants.0.settings.nodeCount is wrong (too big: expected number to be <=9).",
    ],
    [{ settings: { ttl: 1 } }, 'Scenario my-story: settings is wrong (unrecognized key: "ttl").'],
    [
      { variants: [scenario.variants[0], scenario.variants[0]] },
      "Scenario my-story: two variants are called plain.",
    ],
  ])("%j is one clear sentence", (change, sentence) => {
    expect(() => define(change)).toThrow(new UsageError(sentence));
  });

  test("something that is no scenario at all is one sentence as well", () => {
    expect(() => defineScenario(undefined as unknown as Scenario)).toThrow(
      new UsageError("The scenario: invalid input: expected object, received undefined."),
    );
  });
});

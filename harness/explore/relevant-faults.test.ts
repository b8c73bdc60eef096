import { describe, expect, test } from "vitest";
import { applied, type At, healed, historyOf, hold } from "../history/history.fixture.ts";
import { relevantFaults } from "./relevant-faults.ts";

/** Called at 95, held by A, B and C from 100 to 200, released at 204. */
const HOLD = hold("W1/1", { at: 100, nodes: "ABC", release: 200 });

const isRelevant = (...fault: readonly At[]): boolean =>
  relevantFaults(historyOf([...HOLD, ...fault])).has("f1");

describe("a fault on a node", () => {
  test.each([
    ["that stands behind a lock", applied(150, "f1", "A"), true],
    ["that does not", applied(150, "f1", "D"), false],
    ["that is asked", applied(97, "f1", "D"), true],
    ["that nobody asks any more", applied(300, "f1", "A"), false],
  ])("%s", (_, event, expected) => {
    expect(isRelevant(event)).toBe(expected);
  });

  test("counts from when it was applied to when it was healed", () => {
    expect(isRelevant(applied(10, "f1", "A"), healed(150, "f1"))).toBe(true);
    expect(isRelevant(applied(10, "f1", "A"), healed(90, "f1"))).toBe(false);
  });
});

describe("a fault on a worker", () => {
  test.each([
    ["with a lock", applied(150, "f1", "", ["W1"]), true],
    ["with a call under way", applied(97, "f1", "", ["W1"]), true],
    ["with neither", applied(50, "f1", "", ["W1"]), false],
    ["that has none, while another has", applied(150, "f1", "", ["W2"]), false],
  ])("%s", (_, event, expected) => {
    expect(isRelevant(event)).toBe(expected);
  });
});

describe("a fault on links", () => {
  test.each([
    ["of the holder to its nodes", applied(150, "f1", "AD", ["W1"]), true],
    ["of the holder to others", applied(150, "f1", "DE", ["W1"]), false],
    ["of somebody else to its nodes", applied(150, "f1", "AB", ["W2"]), false],
  ])("%s", (_, event, expected) => {
    expect(isRelevant(event)).toBe(expected);
  });
});

test("what has no name of anybody touches whoever is there", () => {
  expect(isRelevant(applied(150, "f1"))).toBe(true);
  expect(isRelevant(applied(300, "f1"))).toBe(false);
});

import { fc, test as propertyTest } from "@fast-check/vitest";
import { describe, expect, test } from "vitest";
import { inspectionFrom } from "./inspection.ts";
import type { NodeLook } from "./ports/node-look.ts";

/** `a100` a key with value a and 100 ms left, `a` one that never expires, `-` none, `?` not looked at. */
const looks = (text: string): NodeLook[] =>
  text.split(" ").map((word, index) => {
    const node = String.fromCharCode(65 + index);
    if (word === "?") return { kind: "unknown", node, cause: "away" };
    if (word === "-") return { kind: "missing", node };
    const leftMs = word.slice(1);
    return { kind: "found", node, value: word.charAt(0), leftMs: leftMs === "" ? undefined : Number(leftMs) };
  });

describe("inspectionFrom", () => {
  test.each([
    ["- - - - -", "free", undefined, 0, undefined],
    ["a90 a80 a70 - -", "held", "a", 3, 70],
    ["a90 a80 a70 a60 a50", "held", "a", 5, 70],
    ["a90 a80 a b10 b20", "held", "a", 3, 80],
    ["a a a - -", "held", "a", 3, undefined],
    ["a90 a80 - - -", "free", "a", 2, 0],
    ["a90 a80 b70 b60 -", "split", "a", 2, 0],
    ["a90 b80 c70 - -", "split", "a", 1, 0],
    ["a90 a80 - - ?", "unknown", "a", 2, 0],
    ["? ? - - -", "free", undefined, 0, undefined],
    ["? ? ? - -", "unknown", undefined, 0, undefined],
    ["a90 a80 a70 ? ?", "held", "a", 3, 70],
  ] as const)("%s is %s by %s on %i", (text, state, value, nodeCount, leftMs) => {
    const nodes = looks(text);
    expect(inspectionFrom("orders", nodes, 3)).toEqual({
      ...{ resource: "orders", state, value, nodeCount, leftMs, nodes },
    });
  });

  test("a quorum above the majority counts", () => {
    expect(inspectionFrom("orders", looks("a90 a80 a70 - -"), 4)).toMatchObject({
      state: "split",
      leftMs: 0,
    });
  });

  const word = fc.constantFrom("a9", "b8", "-", "?");
  propertyTest.prop([
    fc.array(word, { minLength: 5, maxLength: 5 }),
    fc.array(word, { minLength: 5, maxLength: 5 }),
  ])("what is known stays true, whatever the nodes that were not looked at hold", (words, filling) => {
    const { state } = inspectionFrom("orders", looks(words.join(" ")), 3);
    const filled = words.map((one, index) => (one === "?" ? (filling[index] ?? "-").replace("?", "-") : one));
    const whole = inspectionFrom("orders", looks(filled.join(" ")), 3);
    if (state === "held" || state === "free") expect(whole.state).toBe(state);
    if (state === "split") expect(whole.state).not.toBe("held");
    expect(whole.state).not.toBe("unknown");
  });
});

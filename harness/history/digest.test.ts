import { describe, expect, test } from "vitest";
import { fnv1a64, historyDigest } from "./digest.ts";
import { historyOf, hold, settled } from "./history.fixture.ts";

describe("fnv1a64", () => {
  test.each([
    ["", "cbf29ce484222325"],
    ["a", "af63dc4c8601ec8c"],
    ["foobar", "85944171f73967e8"],
  ])("gives the published value of %j", (text, digest) => {
    expect(fnv1a64(text)).toBe(digest);
  });

  test("agrees with the definition in big integers", () => {
    const text = "orders été 🔒 ".repeat(20);
    let expected = 0xcbf29ce484222325n;
    for (const byte of new TextEncoder().encode(text)) {
      expected = BigInt.asUintN(64, (expected ^ BigInt(byte)) * 0x100000001b3n);
    }

    expect(fnv1a64(text)).toBe(expected.toString(16).padStart(16, "0"));
  });
});

describe("historyDigest", () => {
  const history = historyOf([...hold("W1/1", { at: 5, release: 100 }), ...settled(500)]);

  test("is the same for the same events, whatever the order of their fields and the time of day", () => {
    const reordered = {
      header: { ...history.header, startedAt: "another day" },
      events: history.events.map(({ seq, atMs, ...body }) => ({ atMs, seq, ...body })),
    };

    expect(historyDigest(reordered)).toBe(historyDigest(history));
  });

  test("differs where the order, a stamp or the seed differs", () => {
    const [first, second, ...others] = history.events;
    if (first === undefined || second === undefined) throw new Error("too short");
    const changed = [
      { ...history, events: [second, first, ...others] },
      { ...history, events: [{ ...first, atMs: 1 }, second, ...others] },
      { ...history, header: { ...history.header, seed: "2" } },
    ];

    expect(new Set([history, ...changed].map(historyDigest)).size).toBe(4);
  });

  test("takes a field without a value for an absent one", () => {
    const { header } = history;

    expect(historyDigest({ header: { ...header, ...{ note: undefined } }, events: [] })).toBe(
      historyDigest({ header, events: [] }),
    );
  });
});

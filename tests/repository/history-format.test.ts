/** docs/history-format.md names everything that a history may hold, and its example is one. */
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { CHECKER_NAMES } from "../../harness/checkers/checker-name.ts";
import { EVENT_SCHEMA, HEADER_SCHEMA } from "../../harness/history/event-schema.ts";
import { parseHistory } from "../../harness/history/jsonl.ts";

const text = readFileSync(new URL("../../docs/history-format.md", import.meta.url), "utf8");
const isNamed = (name: string): boolean => text.includes(`\`${name}\``);

describe("docs/history-format.md", () => {
  test("names each kind of event and each of its fields", () => {
    const names = EVENT_SCHEMA.options.flatMap(({ shape }) => [shape.kind.value, ...Object.keys(shape)]);

    expect(names.filter((name) => !isNamed(name))).toEqual([]);
  });

  test("names each field of the header, and each checker", () => {
    const names = [...Object.keys(HEADER_SCHEMA.shape), ...CHECKER_NAMES];

    expect(names.filter((name) => !isNamed(name))).toEqual([]);
  });

  test("its example is a history", () => {
    const lines = text.split("\n").filter((line) => line.startsWith("    {"));

    expect(parseHistory(lines.map((line) => line.trim()).join("\n"))).toMatchObject({
      kind: "parsed",
      history: { events: { length: lines.length - 1 } },
    });
  });
});

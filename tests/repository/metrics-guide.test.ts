import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const read = (path: string) => readFileSync(join(import.meta.dirname, "..", "..", path), "utf8");

test("docs/metrics.md lists the metrics that are recorded, and no other", () => {
  const source = read("src/opentelemetry.ts");
  const made = [...source.matchAll(/(?:milliseconds|count|create\w+)\("(?:redlock[.])?([a-z_.]+)"/g)].map(
    ([, name = ""]) => `redlock.${name}`,
  );
  const listed = [...read("docs/metrics.md").matchAll(/^\| `(redlock[.][a-z_.]+)`/gm)].map(
    ([, name]) => name,
  );

  expect(made.length).toBeGreaterThan(10);
  expect(listed.toSorted()).toEqual(made.toSorted());
});

import { expect, test } from "vitest";
import { historyOf } from "./history.fixture.ts";
import { oncePerHistory } from "./once-per-history.ts";

test("a history is derived from once while it is asked for in a row, whatever comes out", () => {
  const [first, second] = [historyOf([]), historyOf([])];
  const asked: unknown[] = [];
  const derive = oncePerHistory((history) => {
    asked.push(history);
    return undefined;
  });
  for (const history of [first, first, second, second]) derive(history);

  expect(asked).toHaveLength(2);
  expect(asked[0]).toBe(first);
  expect(asked[1]).toBe(second);
});

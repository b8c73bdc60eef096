import { expect, test } from "vitest";
import { historyOf } from "./history.fixture.ts";
import { oncePerHistory } from "./once-per-history.ts";

test("each history is derived from once, whatever comes out", () => {
  const [first, second] = [historyOf([]), historyOf([])];
  const asked: unknown[] = [];
  const derive = oncePerHistory((history) => {
    asked.push(history);
    return undefined;
  });
  for (const history of [first, second, first, second]) derive(history);

  expect(asked).toHaveLength(2);
  expect(asked[0]).toBe(first);
  expect(asked[1]).toBe(second);
});

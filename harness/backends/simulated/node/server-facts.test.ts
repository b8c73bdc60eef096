import { describe, expect, test } from "vitest";
import { infoText, runIdOf, timeParts, wholeSeconds } from "./server-facts.ts";

describe("timeParts", () => {
  test.each([
    [0, ["0", "0"]],
    [1_234.5, ["1", "234500"]],
    [996_400_007.2, ["996400", "7200"]],
    [12.0009, ["0", "12000"]],
    [-1, ["-1", "999000"]],
  ])("of %d ms are whole seconds and the microseconds within", (wallMs, parts) => {
    expect(timeParts(wallMs)).toEqual(parts);
  });
});

describe("wholeSeconds", () => {
  test.each([
    [999, 0],
    [1_000, 1],
    [-1, -1],
  ])("of %d ms are %d", (wallMs, seconds) => {
    expect(wholeSeconds(wallMs)).toBe(seconds);
  });
});

describe("runIdOf", () => {
  test("is 40 hexadecimal digits, others for every start of every node", () => {
    const ids = ["A", "B", "long-name-of-a-node"].flatMap((name) =>
      [1, 2, 17].map((start) => runIdOf(name, start)),
    );
    for (const id of ids) expect(id).toMatch(/^[0-9a-f]{40}$/);
    expect(new Set(ids).size).toBe(ids.length);
  });
});

describe("infoText", () => {
  test("has a field a line", () => {
    expect(infoText({ runId: "ab", uptimeS: -3 })).toBe(
      "role:master\r\nrun_id:ab\r\nuptime_in_seconds:-3\r\n",
    );
  });
});

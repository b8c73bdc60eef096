import { describe, expect, test } from "vitest";
import { Turns } from "./turns.ts";

describe("Turns", () => {
  test("one begins when the one before has ended, also where that failed", async () => {
    const turns = new Turns();
    const diary: string[] = [];
    const step =
      (name: string, fails = false) =>
      async (): Promise<void> => {
        diary.push(`${name} begins`);
        await Promise.resolve();
        diary.push(`${name} ends`);
        if (fails) throw new Error(name);
      };
    const first = turns.take(step("first", true));
    const second = turns.take(step("second"));

    await expect(first).rejects.toThrow("first");
    await second;
    expect(diary).toEqual(["first begins", "first ends", "second begins", "second ends"]);
  });
});

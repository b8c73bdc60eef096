import { describe, expect, test } from "vitest";
import { allEnded } from "./all-ended.ts";

describe("allEnded", () => {
  test("gives all values in order", async () => {
    expect(await allEnded([Promise.resolve(1), Promise.resolve(2)])).toEqual([1, 2]);
  });

  test("fails only when the last one has ended", async () => {
    let end: (() => void) | undefined;
    let hasFailed = false;
    const late = new Promise<void>((resolve) => {
      end = resolve;
    });
    const all = allEnded([Promise.reject(new Error("no port")), late]).catch((error: unknown) => {
      hasFailed = true;
      throw error;
    });
    all.catch(() => undefined);
    await Promise.resolve();
    expect(hasFailed).toBe(false);
    end?.();
    await expect(all).rejects.toThrow("no port");
  });
});

import { describe, expect, test } from "vitest";
import { targetFrom } from "./target.ts";

const isMisuse = (message: string): unknown =>
  expect.objectContaining({ code: "misuse", message: expect.stringContaining(message) as unknown });

describe("targetFrom", () => {
  test("a name may be 64 KiB long, in any script", () => {
    expect(targetFrom("a".repeat(65_536))).toEqual({ resource: "a".repeat(65_536) });
    expect(targetFrom("ключ 🔑")).toEqual({ resource: "ключ 🔑" });
  });

  test.each(["a".repeat(65_537), "ü".repeat(32_769), "a".repeat(100_000_000)])(
    "a longer name is misuse, and is not repeated to the caller",
    (name) => {
      expect(() => targetFrom(name)).toThrow(isMisuse("64 KiB"));
      expect(() => targetFrom(["short", name])).toThrow(isMisuse("64 KiB"));
    },
  );

  test.each(["\ud800", "orders:\udc00", "\udc00\ud800"])(
    "half of a surrogate pair is misuse: on the nodes all halves are one and the same name",
    (name) => {
      expect(() => targetFrom(name)).toThrow(isMisuse("surrogate"));
    },
  );
});

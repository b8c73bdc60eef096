import { describe, expect, test } from "vitest";
import { RedlockError } from "./errors.ts";

describe("RedlockError", () => {
  const votes = [{ node: "A", kind: "unknown", cause: "away" }] as const;

  test("as JSON it says everything that a log line needs", () => {
    const error = new RedlockError("unavailable", "too few nodes answered", {
      votes,
      resource: "orders",
      attemptCount: 3,
      cause: new Error("the counter is down"),
    });
    expect(JSON.parse(JSON.stringify({ error }))).toEqual({
      error: {
        name: "RedlockError",
        code: "unavailable",
        message: "too few nodes answered",
        resource: "orders",
        attemptCount: 3,
        votes,
        cause: "the counter is down",
      },
    });
  });

  test("what it does not know is not there", () => {
    expect(JSON.parse(JSON.stringify(new RedlockError("misuse", "no")))).toEqual({
      name: "RedlockError",
      code: "misuse",
      message: "no",
      votes: [],
    });
    expect("cause" in new RedlockError("misuse", "no")).toBe(false);
  });

  test("a cause that is no Error is told in its own words", () => {
    expect(new RedlockError("unavailable", "no", { cause: 7n }).toJSON().cause).toBe("7");
  });

  test("it is told by class, by name and by code", () => {
    const error: unknown = new RedlockError("lost", "gone");
    expect(error).toBeInstanceOf(Error);
    expect(error).toBeInstanceOf(RedlockError);
    expect(error).toMatchObject({ name: "RedlockError", code: "lost" });
  });
});

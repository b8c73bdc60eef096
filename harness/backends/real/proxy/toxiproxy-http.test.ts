import { describe, expect, test } from "vitest";
import { refusalText } from "./toxiproxy-http.ts";

describe("refusalText", () => {
  test("is the server's own sentence", () => {
    expect(refusalText('{"error":"proxy already exists","status":409}\n')).toBe("proxy already exists");
  });

  test("is the body where that is no JSON", () => {
    expect(refusalText("browsers not allowed\n")).toBe("browsers not allowed");
    expect(refusalText("")).toBe("no reason given");
  });
});

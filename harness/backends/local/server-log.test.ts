import { describe, expect, test } from "vitest";
import { hasLoggedError, lastLogLine } from "./server-log.ts";

const REFUSED = '{"level":"error","error":"listen tcp: address already in use","message":"Server finished"}';

describe("lastLogLine", () => {
  test.each([
    ["", undefined],
    ["\n\n", undefined],
    [
      "1:M 30 Nov 2026 21:46:00.123 # Failed listening on port 7 (TCP), aborting.\n",
      "Failed listening on port 7 (TCP), aborting",
    ],
    ["first\n*** FATAL CONFIG FILE ERROR ***\nBad directive\n", "Bad directive"],
    [`${REFUSED}\n`, "listen tcp: address already in use"],
    ['{"level":"info","message":"Starting"}', "Starting"],
  ])("of %j is %j", (text, line) => {
    expect(lastLogLine(text)).toBe(line);
  });
});

describe("hasLoggedError", () => {
  test("looks at the level, not at the words", () => {
    expect(hasLoggedError(`{"level":"info","message":"no error"}\n${REFUSED}\n`)).toBe(true);
    expect(hasLoggedError('{"level":"info","message":"error"}\nplain error\n')).toBe(false);
  });
});

import { describe, expect, test } from "vitest";
import { PLAIN_PALETTE } from "../../report/palette.ts";
import { runResult } from "../../report/run-result.fixture.ts";
import { ProgressLines } from "./progress-lines.ts";

function recorded(isTerminal: boolean) {
  const written: string[] = [];
  const output = {
    write: (text: string) => written.push(text),
    isTerminal,
    columns: isTerminal ? 40 : undefined,
  };
  return { written, progress: new ProgressLines(output, PLAIN_PALETTE) };
}

const STARTED = { kind: "run-started", scenario: "S16", variant: "plain", repetition: 1 } as const;

describe("ProgressLines", () => {
  test("off a terminal there are only whole lines, one for each finished run", () => {
    const { written, progress } = recorded(false);
    progress.show(STARTED);
    progress.show({ kind: "run-finished", result: runResult() });
    progress.finish();

    expect(written).toEqual(["ok   S16 plain #1              1.2 s  every checker said what was expected\n"]);
  });

  test("on a terminal one line lives below the finished ones, never wider than it", () => {
    const { written, progress } = recorded(true);
    progress.show(STARTED);
    progress.show({ ...STARTED, variant: "a-very-long-name-of-a-variant" });

    expect(written.at(-1)).toMatch(/^\r\u001b\[2K0 done, playing S16 plain #1, S16 a-ver/);
    expect(written.at(-1)?.length).toBeLessThanOrEqual("\r\u001b[2K".length + 39);

    progress.show({ kind: "run-finished", result: runResult() });
    expect(written.at(-2)).toMatch(/^\r\u001b\[2Kok {3}S16 plain #1.*\n$/);
    expect(written.at(-1)).toContain("1 done, playing S16 a-very");

    progress.finish();
    expect(written.at(-1)).toBe("\r\u001b[2K");
  });

  test("another staging says why", () => {
    const { written, progress } = recorded(false);
    progress.show({ ...STARTED, kind: "run-staged-again", why: "W1 was granted by A, B only." });

    expect(written).toEqual(["     S16 plain #1 is staged again: W1 was granted by A, B only.\n"]);
  });

  test("what servers said cannot move the cursor", () => {
    const { written, progress } = recorded(false);
    progress.show({ kind: "run-finished", result: runResult({ reason: "bad \u001b[31m\r\nline" }) });

    expect(written.join("")).toMatch(/^[ -~]*\n$/);
  });
});

import { describe, expect } from "vitest";
import { fc, test } from "@fast-check/vitest";
import { parseMonitorLine } from "./monitor-line.ts";

describe("parseMonitorLine", () => {
  test("reads time, source and arguments", () => {
    expect(parseMonitorLine('1796075116.420001 [0 127.0.0.1:39820] "SET" "k" "v1" "PX" "1000" "NX"')).toEqual(
      {
        shownNs: 1_796_075_116_420_001_000n,
        database: 0,
        isFromScript: false,
        args: ["SET", "k", "v1", "PX", "1000", "NX"],
      },
    );
  });

  test("knows the calls of scripts", () => {
    expect(parseMonitorLine('1796075116.420432 [3 lua] "DEL" "k"')).toMatchObject({
      database: 3,
      isFromScript: true,
      args: ["DEL", "k"],
    });
  });

  test("reads an address with brackets", () => {
    expect(parseMonitorLine('1.000000 [0 [::1]:4000] "GET" "a] b"')?.args).toEqual(["GET", "a] b"]);
  });

  test.each(["OK", "", "1796075116.42 [0 lua]", "PONG"])("does not read %j", (line) => {
    expect(parseMonitorLine(line)).toBeUndefined();
  });

  const arguments_ = fc.array(fc.string({ unit: "grapheme" }), { minLength: 1, maxLength: 4 });

  test.prop([arguments_])("gives back whatever Redis has quoted", (args) => {
    const quoted = args.map((arg) => `"${[...Buffer.from(arg)].map(quoteByte).join("")}"`).join(" ");
    expect(parseMonitorLine(`1.000000 [0 lua] ${quoted}`)?.args).toEqual(args);
  });
});

/** As Redis prints a byte in a log. */
function quoteByte(byte: number): string {
  const named = new Map([
    [0x5c, "\\\\"],
    [0x22, '\\"'],
    [0x0a, "\\n"],
    [0x0d, "\\r"],
    [0x09, "\\t"],
    [0x07, "\\a"],
    [0x08, "\\b"],
  ]).get(byte);
  if (named !== undefined) return named;
  const isPrintable = byte >= 0x20 && byte < 0x7f;
  return isPrintable ? String.fromCharCode(byte) : `\\x${byte.toString(16).padStart(2, "0")}`;
}

import { describe, expect } from "vitest";
import { fc, test } from "@fast-check/vitest";
import { RespReader, type RespValue, respCommand } from "./resp-reader.ts";

const readAll = (text: string) => new RespReader().read(Buffer.from(text));
const text = (value: string): RespValue => ({ kind: "text", text: value });

describe("RespReader", () => {
  test.each<[string, RespValue]>([
    ["+OK\r\n", text("OK")],
    ["-ERR no\r\n", { kind: "error", message: "ERR no" }],
    [":-3\r\n", { kind: "number", value: -3 }],
    ["$2\r\n\r\n\r\n", text("\r\n")],
    ["$-1\r\n", { kind: "null" }],
    ["_\r\n", { kind: "null" }],
    ["=8\r\ntxt:abcd\r\n", text("abcd")],
    ["%1\r\n+a\r\n:1\r\n", { kind: "list", items: [text("a"), { kind: "number", value: 1 }] }],
    [">2\r\n+a\r\n$1\r\nb\r\n", { kind: "push", items: [text("a"), text("b")] }],
  ])("reads %j", (bytes, value) => {
    expect(readAll(bytes)).toEqual([value]);
  });

  test("does not take something else for a reply", () => {
    expect(() => readAll("HTTP/1.1 400\r\n")).toThrow("begins with");
  });

  const strings = fc.array(fc.string({ unit: "grapheme" }), { minLength: 1, maxLength: 4 });

  test.prop([fc.array(strings, { maxLength: 5 }), fc.integer({ min: 1, max: 7 })])(
    "gives the same values however the bytes are cut",
    (commands, chunkBytes) => {
      const bytes = Buffer.from(commands.map(respCommand).join(""));
      const reader = new RespReader();
      const values: RespValue[] = [];
      for (let at = 0; at < bytes.length; at += chunkBytes) {
        values.push(...reader.read(bytes.subarray(at, at + chunkBytes)));
      }
      expect(values).toEqual(commands.map((args) => ({ kind: "list", items: args.map(text) })));
    },
  );
});

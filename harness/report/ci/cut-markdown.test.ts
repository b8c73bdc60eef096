import { fc, test } from "@fast-check/vitest";
import { describe, expect } from "vitest";
import { cutMarkdown } from "./cut-markdown.ts";

const bytesOf = (text: string) => Buffer.byteLength(text);
const fold = (title: string) => `<details>\n<summary>${title}</summary>\n\ntext\n\n</details>\n`;

describe("cutMarkdown", () => {
  test("what fits is left alone", () => {
    expect(cutMarkdown("# Title\n", 100)).toBe("# Title\n");
  });

  test("what does not is cut at a line, and says so", () => {
    const cut = cutMarkdown(`| a |\n${"x".repeat(100)}\n`, 80);
    expect(cut).toMatch(/^[|] a [|]\n\n\nThe rest is in summary[.]md of the results[.]\n$/);
  });

  test("no fold is left open", () => {
    const cut = cutMarkdown(fold("one") + fold("two").repeat(50), 150);
    expect(cut.split("<details>").length).toBe(cut.split("</details>").length);
    expect(cut).toContain("one");
  });

  test.prop([fc.string({ unit: "grapheme", maxLength: 400 }), fc.integer({ min: -10, max: 400 })])(
    "it never takes more than there is room for",
    (text, bytesMax) => {
      const cut = cutMarkdown(text, bytesMax);
      expect(bytesOf(cut)).toBeLessThanOrEqual(Math.max(0, bytesMax));
    },
  );
});

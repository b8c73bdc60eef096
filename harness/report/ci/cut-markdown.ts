/** Markdown for a place that takes no more than so much: whole lines from the start, and a word about the rest. */

const REST = "\n\nThe rest is in summary.md of the results.\n";

/** @returns at most `bytesMax` bytes of UTF-8; nothing where not even the word about the rest has room. */
export function cutMarkdown(text: string, bytesMax: number): string {
  if (bytesOf(text) <= bytesMax) return text;
  let kept = "";
  let left = bytesMax - bytesOf(REST);
  if (left < 0) return "";
  for (const line of text.split("\n")) {
    left -= bytesOf(line) + 1;
    if (left < 0) break;
    kept += `${line}\n`;
  }
  return withoutOpenFold(kept) + REST;
}

/** A fold that is not closed would swallow what follows. */
function withoutOpenFold(text: string): string {
  const start = text.lastIndexOf("<details");
  return start > text.lastIndexOf("</details>") ? text.slice(0, start) : text;
}

function bytesOf(text: string): number {
  return new TextEncoder().encode(text).length;
}

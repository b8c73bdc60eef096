/** Text as XML 1.0 can carry it. What a server or a user's story says may hold anything at all. */

/** On one line: an attribute's line breaks are turned into blanks by every parser anyway. */
export function xmlLine(text: string): string {
  return xmlText(text)
    .replaceAll(/[\t\n]+/g, " ")
    .trim();
}

/** For a CDATA section: junit-report-builder splits only the first `]]>` that would end it. */
export function xmlBlock(text: string): string {
  return xmlText(text).replaceAll("]]>", "]] >");
}

/** Keeps tab, line feed and everything printable; drops what XML 1.0 forbids (lone surrogates included). */
function xmlText(text: string): string {
  return Array.from(text, (character) => (isAllowed(character) ? character : "")).join("");
}

function isAllowed(character: string): boolean {
  const codePoint = character.codePointAt(0) ?? 0;
  if (codePoint < 0x20) return character === "\t" || character === "\n";
  // Delete and the C1 controls are allowed but discouraged, and terminals act on them.
  if (codePoint >= 0x7f && codePoint <= 0x9f) return false;
  if (codePoint >= 0xd800 && codePoint <= 0xdfff) return false;
  return codePoint !== 0xfffe && codePoint !== 0xffff;
}

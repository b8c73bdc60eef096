/** Why a rival could win: what became of the older hold's keys on the nodes that voted for both. */
import type { NodeName } from "../history/event.ts";
import type { Hold } from "../history/holds.ts";
import { listText, msText, signedText } from "./quantity-text.ts";
import type { KeySpan } from "./timeline/key-spans.ts";
import { keyBefore, type RunSpans } from "./timeline/run-spans.ts";

/** `undefined` where no node voted for both, or the history does not show how the key went. */
export function lossClause(older: Hold, younger: Hold, spans: RunSpans): string | undefined {
  const shared = grantedBy(older).filter((node) => grantedBy(younger).includes(node));
  const lost = shared.flatMap((node) => {
    const key = keyBefore(spans, { node, value: older.value, atMs: younger.granted.atMs });
    return key === undefined || key.toMs > younger.granted.atMs ? [] : [key];
  });
  const reasons = new Map<string, KeySpan[]>();
  for (const key of lost) {
    const reason = reasonOf(key, spans);
    reasons.set(reason, [...(reasons.get(reason) ?? []), key]);
  }
  const clauses = [...reasons].map(([reason, keys]) => clauseFor(reason, keys, older));
  return clauses.length === 0 ? undefined : clauses.join("; ");
}

function grantedBy({ votes }: Hold): readonly NodeName[] {
  return votes.filter(({ kind }) => kind === "granted").map(({ node }) => node);
}

function clauseFor(reason: string, keys: readonly KeySpan[], older: Hold): string {
  const when = [...new Set(keys.map(({ toMs }) => msText(toMs)))];
  const nodes = listText(keys.map(({ node }) => node));
  return `${nodes} forgot ${older.worker}'s key at ${listText(when)} because ${reason}`;
}

function reasonOf(key: KeySpan, spans: RunSpans): string {
  switch (key.ending) {
    case "killed":
      return "it was killed and came back empty";
    case "power-loss":
      return "it lost power before the key was on its disk";
    case "flushed":
      return "it was emptied";
    case "evicted":
      return "it ran out of memory and evicted it";
    case "deleted": {
      const by = key.claimedValue === undefined ? undefined : spans.owners.get(key.claimedValue);
      return by === undefined ? "it was deleted" : `${by} deleted it`;
    }
    case "expired":
      return expiryReason(key, spans);
    case "open":
      return "it could not keep it";
  }
}

/** Time that passed too fast, where a clock was moved; else just the end of the key's lifetime. */
function expiryReason({ node, fromMs, toMs }: KeySpan, { history }: RunSpans): string {
  const before = history.events.filter(
    (event) => "node" in event && event.node === node && event.atMs <= toMs,
  );
  const jump = before.findLast((event) => event.kind === "clock-jumped" && event.atMs >= fromMs);
  if (jump?.kind === "clock-jumped") return `its clock stepped by ${signedText(jump.byMs)} ms`;
  const skew = before.findLast((event) => event.kind === "clock-rate-set");
  if (skew?.kind === "clock-rate-set" && skew.rate !== 1)
    return `its clock ran at ${skew.rate} times the true rate`;
  return "its lifetime was over";
}

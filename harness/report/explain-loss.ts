/** Why a rival could win: what became of the older hold's keys on the nodes that voted for both. */
import type { NodeName } from "../history/event.ts";
import type { Hold } from "../history/holds.ts";
import type { KeyLife } from "../history/key-life.ts";
import { listText, msText, signedText } from "./quantity-text.ts";
import { keyBefore, type RunSpans } from "./timeline/run-spans.ts";

/** `undefined` where no node voted for both, or the history does not show how the key went. */
export function lossClause(older: Hold, younger: Hold, spans: RunSpans): string | undefined {
  const shared = grantedBy(older).filter((node) => grantedBy(younger).includes(node));
  const lost = shared.flatMap((node) => {
    const key = keyBefore(spans, { node, value: older.value, atMs: younger.granted.atMs });
    return key === undefined || key.toMs > younger.granted.atMs ? [] : [key];
  });
  const reasons = new Map<string, KeyLife[]>();
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

function clauseFor(reason: string, keys: readonly KeyLife[], older: Hold): string {
  const when = [...new Set(keys.map(({ toMs }) => msText(toMs)))];
  const nodes = listText(keys.map(({ node }) => node));
  return `${nodes} forgot ${older.worker}'s key at ${listText(when)} because ${reason}`;
}

function reasonOf({ end }: KeyLife, { owners }: RunSpans): string {
  switch (end.kind) {
    case "expired":
      return "its lifetime was over";
    case "expired-by-jump":
      return `its clock stepped by ${signedText(end.byMs)} ms`;
    case "expired-by-rate":
      return `its clock ran at ${end.rate} times the true rate`;
    case "node-down":
      return end.cause === "killed"
        ? "it was killed and came back empty"
        : "it lost power before the key was on its disk";
    case "flushed":
      return "it was emptied";
    case "evicted":
      return "it ran out of memory and evicted it";
    case "deleted":
      return `${whoHas(end.claimedValue, owners)} deleted it`;
    case "overwritten":
      return `${whoHas(end.byValue, owners)} overwrote it`;
    case "still-there":
      return "the run was over";
  }
}

function whoHas(value: string | undefined, owners: RunSpans["owners"]): string {
  return (value === undefined ? undefined : owners.get(value)) ?? "somebody";
}

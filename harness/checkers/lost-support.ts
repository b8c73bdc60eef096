/** Why a node did not stand behind a hold at some time, in words. */
import type { NodeName } from "../history/event.ts";
import type { Hold } from "../history/holds.ts";
import type { KeyLife } from "../history/key-life.ts";
import type { NodeOutage } from "../history/outages.ts";
import { formatMs } from "./wording.ts";

export interface LostSupport {
  readonly sentence: string;
  readonly seqs: readonly number[];
}

export interface LossContext {
  readonly lives: readonly KeyLife[];
  readonly outages: readonly NodeOutage[];
  readonly holds: readonly Hold[];
}

/** `atMs`: a time at which the node does not hold the key of the hold. */
export function explainLostSupport(
  { node, hold, atMs }: { readonly node: NodeName; readonly hold: Hold; readonly atMs: number },
  context: LossContext,
): LostSupport {
  const lives = context.lives.filter(
    (life) => life.node === node && life.resource === hold.resource && life.value === hold.value,
  );
  const life = lives.findLast(({ toMs }) => toMs <= atMs);
  if (life !== undefined) return { sentence: lossOf(life, context), seqs: life.seqs };
  const [later] = lives;
  if (later === undefined) return { sentence: `${node} never had the key`, seqs: [] };
  return { sentence: `${node} got the key only at ${formatMs(later.fromMs)}`, seqs: later.seqs };
}

function lossOf(life: KeyLife, context: LossContext): string {
  const { node, toMs, end } = life;
  const forgot = `${node} forgot the key at ${formatMs(toMs)}`;
  switch (end.kind) {
    case "expired":
    case "still-there":
      return `the key on ${node} expired at ${formatMs(toMs)}`;
    case "expired-by-jump":
      return `${forgot} because its clock jumped by ${formatMs(end.byMs)} ms`;
    case "expired-by-rate":
      return `${forgot} because its clock ran at ${end.rate} times the true rate`;
    case "node-down":
      return restartOf(life, end.cause, context.outages);
    case "deleted":
      return `the key on ${node} was deleted at ${formatMs(toMs)} ${byWhom(life, end.claimedValue, context.holds)}`;
    case "flushed":
      return `${forgot} because it was flushed`;
    case "evicted":
      return `${forgot} because it evicted the key`;
    case "overwritten":
      return `the key on ${node} was overwritten at ${formatMs(toMs)} ${byWhom(life, end.byValue, context.holds)}`;
  }
}

function restartOf(
  { node, toMs }: KeyLife,
  cause: "killed" | "power-loss",
  outages: readonly NodeOutage[],
): string {
  const how = cause === "killed" ? "was killed" : "lost power";
  const back = outages.find((outage) => outage.node === node && outage.fromMs === toMs);
  // No process starts in no time: a replica was promoted, or the address leads elsewhere.
  if (back?.toMs === toMs)
    return `another server took the place of ${node} at ${formatMs(toMs)}, without the key`;
  const came = back === undefined ? "" : ` and came back without it at ${formatMs(back.toMs)}`;
  return `${node} ${how} at ${formatMs(toMs)} with the key${came}`;
}

function byWhom({ value }: KeyLife, byValue: string | undefined, holds: readonly Hold[]): string {
  if (byValue === undefined) return "by a command that compared nothing";
  if (byValue === value) return "by a command in its own name";
  const owner = holds.find((hold) => hold.value === byValue);
  return owner === undefined
    ? `in the name of value ${byValue}`
    : `in the name of ${owner.worker} (${owner.id})`;
}

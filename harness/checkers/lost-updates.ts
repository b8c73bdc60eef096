/**
 * I3, lost updates: is every write that was acknowledged still there at the end? A write keeps what its writer had
 * read and adds itself, so the last write and what it is based on, back to the first, is what is left. A write of a
 * worker that had read nothing replaces everything on purpose: what came before it is not asked for.
 */
import type { EventOf } from "../history/event.ts";
import { eventsOf } from "../history/events-of.ts";
import type { History } from "../history/history.ts";
import type { Evidence } from "./verdict.ts";
import { formatMs } from "./wording.ts";

type Write = EventOf<"write-judged">;

export function findLostUpdates(history: History): readonly Evidence[] {
  const acknowledged = new Set(
    eventsOf(history, "write-returned").flatMap(({ accepted, write }) => (accepted ? [write] : [])),
  );
  const byResource = new Map<string, Write[]>();
  for (const event of eventsOf(history, "write-judged")) {
    if (!event.accepted) continue;
    const writes = byResource.get(event.resource);
    if (writes === undefined || event.basedOn === undefined) byResource.set(event.resource, [event]);
    else writes.push(event);
  }
  return [...byResource.values()].flatMap((writes) => lostAmong(writes, acknowledged));
}

/** Expects all but the first to be based on something. */
function lostAmong(writes: readonly Write[], acknowledged: ReadonlySet<string>): readonly Evidence[] {
  const left = new Set<string>();
  let newest: string | null | undefined = writes.at(-1)?.write;
  for (const { write, basedOn } of writes.toReversed()) {
    if (write !== newest) continue;
    left.add(write);
    newest = basedOn;
  }
  return writes.flatMap((write, place) => {
    const next = writes[place + 1];
    const isLost = next !== undefined && acknowledged.has(write.write) && !left.has(write.write);
    return isLost ? [evidenceOf(write, next)] : [];
  });
}

function evidenceOf(lost: Write, next: Write): Evidence {
  return {
    sentence:
      `${lost.resource} lost the write ${lost.write} of ${lost.worker} (${lost.hold}), which it had acknowledged: ` +
      `${next.worker} (${next.hold}) wrote at ${formatMs(next.atMs)} without having read it`,
    fromMs: lost.atMs,
    toMs: next.atMs,
    seqs: [lost.seq, next.seq],
  };
}

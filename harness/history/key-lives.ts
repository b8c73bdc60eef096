/**
 * Key lives: the spans of true time in which a node held a value alive and would have said so. Rebuilt from
 * what happened on the nodes and from their clocks, because a node reports an expiry when it deletes the
 * key, not when the key expires. A node that is down shows nothing, so its keys' lives end there and begin
 * anew where the key is found after the restart.
 */
import { eventsOf } from "./events-of.ts";
import type { History } from "./history.ts";
import { keyOf, type KeyLife } from "./key-life.ts";
import { endOfRun } from "./moment.ts";
import { NodeKeys } from "./node-keys.ts";
import { oncePerHistory } from "./once-per-history.ts";

/** All lives, node by node in the order of the header, each node's in the order of their ends. */
export const keyLives = oncePerHistory(readKeyLives);

function readKeyLives(history: History): readonly KeyLife[] {
  let stamps: ReadonlyMap<string, number> | undefined;
  const grantedAtMs = (key: string): number | undefined => {
    stamps ??= grantStamps(history);
    return stamps.get(key);
  };
  const uncertaintyMs = history.header.nodeStampUncertaintyMs;
  const trackers = new Map(
    history.header.nodes.map((node) => [node, new NodeKeys(node, { uncertaintyMs, grantedAtMs })]),
  );
  for (const event of history.events) if ("node" in event) trackers.get(event.node)?.apply(event);
  const endMs = endOfRun(history.events).atMs;
  return [...trackers.values()].flatMap((tracker) => tracker.finish(endMs));
}

/** When a holder knew at the latest that a node had its key: a node's own stamp may come a little after. */
function grantStamps(history: History): ReadonlyMap<string, number> {
  const stamps = new Map<string, number>();
  for (const event of eventsOf(history, "acquire-granted")) {
    for (const vote of event.votes) {
      if (vote.kind === "granted") stamps.set(keyOf(vote.node, event.resource, event.value), event.atMs);
    }
  }
  return stamps;
}

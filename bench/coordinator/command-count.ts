/** How many commands the servers have carried out, those within scripts included. */
import { askRedis } from "../../harness/backends/real/resp/ask-redis.ts";
import { respText } from "../../harness/backends/real/resp/resp-reader.ts";
import type { Rig } from "../rig/rig.ts";

const ANSWER_LIMIT_MS = 2000;
/** What connections and this very question cost. */
const NOT_LOCKING = new Set(["info", "client", "hello", "select", "ping", "config", "command", "auth"]);

export async function countCommands({ nodes }: Rig): Promise<number> {
  const counts = await Promise.all(nodes.map(({ server }) => countOf(server.port)));
  return counts.reduce((sum, count) => sum + count, 0);
}

async function countOf(port: number): Promise<number> {
  const text = respText(await askRedis(port, ["INFO", "commandstats"], { limitMs: ANSWER_LIMIT_MS })) ?? "";
  let count = 0;
  for (const [, name = "", calls] of text.matchAll(/^cmdstat_([^:|]+)[^:]*:calls=(\d+)/gm)) {
    if (!NOT_LOCKING.has(name)) count += Number(calls);
  }
  return count;
}

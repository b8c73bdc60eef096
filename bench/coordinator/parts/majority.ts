import { setTimeout as delay } from "node:timers/promises";
import { askRedis } from "../../../harness/backends/real/resp/ask-redis.ts";
import type { RigNode } from "../../rig/rig.ts";
import type { Part } from "../part.ts";
import type { Row } from "../row.ts";

const ATTEMPT_COUNT = 20;
/** What the coordinator waits for a silent node unless it is told otherwise. */
const NODE_TIMEOUT_MS = 50;
const GRACE_MS = 10;
const HEAL_LIMIT_MS = 3000;
const LOOK_MS = 50;
const ANSWER_LIMIT_MS = 1000;

interface NodeFault {
  readonly name: string;
  readonly begin: (node: RigNode) => unknown;
  readonly end: (node: RigNode) => unknown;
}

const FAULTS: readonly NodeFault[] = [
  {
    name: "frozen",
    begin: ({ server }) => {
      server.stall();
    },
    end: ({ server }) => {
      server.resume();
    },
  },
  { name: "dead", begin: ({ server }) => server.kill(), end: ({ server }) => server.start() },
];

/** Three of five are gone: an acquire says so in time, and leaves nothing behind once they are back. */
export const measureMajority: Part = async ({ open, rig }) => {
  const gone = rig.nodes.slice(0, 3);
  const rows: Row[] = [];
  for (const { name, begin, end } of FAULTS) {
    const subject = await open("ours");
    for (const node of gone) await begin(node);
    const { tookMs, grantedCount } = await subject.ask("fail", { attemptCount: ATTEMPT_COUNT });
    for (const node of gone) await end(node);
    rows.push(
      {
        figure: `majority ${name}: slowest refusal, ms`,
        ours: Math.max(...tookMs),
        target: { atMost: NODE_TIMEOUT_MS + GRACE_MS },
      },
      { figure: `majority ${name}: granted`, ours: grantedCount, target: { atMost: 0 } },
      { figure: `majority ${name}: keys left`, ours: await keysLeft(rig.nodes), target: { atMost: 0 } },
    );
    subject.close();
  }
  return rows;
};

/** Looks until there is none, at most some seconds. */
async function keysLeft(nodes: readonly RigNode[]): Promise<number> {
  let count = await keyCount(nodes);
  for (let waitedMs = 0; count > 0 && waitedMs < HEAL_LIMIT_MS; waitedMs += LOOK_MS) {
    await delay(LOOK_MS);
    count = await keyCount(nodes);
  }
  return count;
}

async function keyCount(nodes: readonly RigNode[]): Promise<number> {
  const counts = await Promise.all(
    nodes.map(async ({ server }) => {
      const keys = await askRedis(server.port, ["KEYS", "bench:*"], { limitMs: ANSWER_LIMIT_MS });
      return Array.isArray(keys) ? keys.length : 0;
    }),
  );
  return counts.reduce((sum, count) => sum + count, 0);
}

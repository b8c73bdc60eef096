/** Faults that come and go on single nodes, drawn one after the other. */
import { setTimeout as delay } from "node:timers/promises";
import { askRedis } from "../../harness/backends/real/resp/ask-redis.ts";
import type { RandomStream } from "../../harness/random/random-stream.ts";
import type { Rig, RigNode } from "../rig/rig.ts";

interface NodeFault {
  readonly begin: (node: RigNode, rig: Rig) => unknown;
  readonly end: (node: RigNode, rig: Rig) => unknown;
}

const TOXIC = "soak";
const SLOW_MS = 120;
const ANSWER_LIMIT_MS = 1000;

const FAULTS: Readonly<Record<string, NodeFault>> = {
  "killed and started": { begin: ({ server }) => server.kill(), end: ({ server }) => server.start() },
  frozen: { begin: ({ server }) => server.stall(), end: ({ server }) => server.resume() },
  "connections refused": {
    begin: ({ proxyName }, { proxies }) => proxies.setEnabled(proxyName, false),
    end: ({ proxyName }, { proxies }) => proxies.setEnabled(proxyName, true),
  },
  "requests lost": lost("request"),
  "replies lost": lost("reply"),
  slow: {
    begin: ({ proxyName }, { proxies }) =>
      proxies.addToxic(proxyName, {
        kind: "slow",
        name: TOXIC,
        direction: "reply",
        latencyMs: SLOW_MS,
        jitterMs: SLOW_MS / 2,
      }),
    end: ({ proxyName }, { proxies }) => proxies.removeToxic(proxyName, TOXIC),
  },
  "connections killed": {
    begin: ({ server }) =>
      askRedis(server.port, ["CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes"], {
        limitMs: ANSWER_LIMIT_MS,
      }),
    end: () => undefined,
  },
};

/** Upper ends, in milliseconds. */
const PAUSE_MAX_MS = 500;
const LASTS_MAX_MS = 1200;
/** Of these at once; with three of five the majority is gone. */
const LANES = 3;

/** @returns how often each fault was there, once `signal` has aborted and everything is healed. */
export async function playNodeFaults(
  rig: Rig,
  random: RandomStream,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, number>> {
  const counts = new Map<string, number>();
  const names = Object.keys(FAULTS);
  const busy = new Set<RigNode>();
  const lane = async (draws: RandomStream): Promise<void> => {
    while (!signal.aborted) {
      await pause(draws.below(PAUSE_MAX_MS), signal);
      const node = rig.nodes[draws.below(rig.nodes.length)];
      const name = names[draws.below(names.length)] ?? "";
      const fault = FAULTS[name];
      if (node === undefined || fault === undefined || busy.has(node)) continue;
      busy.add(node);
      counts.set(name, (counts.get(name) ?? 0) + 1);
      try {
        await fault.begin(node, rig);
        await pause(draws.below(LASTS_MAX_MS), signal);
      } finally {
        await fault.end(node, rig);
        busy.delete(node);
      }
    }
  };
  await Promise.all(Array.from({ length: LANES }, (_, index) => lane(random.fork(`faults ${index}`))));
  return counts;
}

function lost(direction: "request" | "reply"): NodeFault {
  return {
    begin: ({ proxyName }, { proxies }) =>
      proxies.addToxic(proxyName, { kind: "lose", name: TOXIC, direction }),
    end: ({ proxyName }, { proxies }) => proxies.removeToxic(proxyName, TOXIC),
  };
}

/** Ends early with the signal; never rejects. */
async function pause(durationMs: number, signal: AbortSignal): Promise<void> {
  try {
    await delay(durationMs, undefined, { signal });
  } catch {
    // It is over.
  }
}

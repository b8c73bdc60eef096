import type { Rules } from "./rules.ts";

/** The common frame of the failure stories: five nodes, quorum 3, node timeout 50 ms, drift 0.01. */
export function rulesOf(changes: Partial<Rules> = {}): Rules {
  return {
    nodeNames: ["A", "B", "C", "D", "E"],
    quorum: 3,
    nodeTimeoutMs: 50,
    driftFactor: 0.01,
    backoff: { baseMs: 20, capMs: 200 },
    longestDelayMs: 10_000,
    guard: undefined,
    firstUse: "wait",
    ...changes,
  };
}

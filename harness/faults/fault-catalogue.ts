/**
 * All faults, with what real servers on this machine can do of them: one table, for the local backend and for
 * docs/faults.md. The simulation does all of them.
 */
import type { FaultKind } from "./fault.ts";

export interface FaultEntry {
  /** What happens, in a few words. */
  readonly summary: string;
  /** Why the local backend cannot do it; goes on after "but". Absent where it can. */
  readonly localObstacle?: string;
  /** On real servers it is done by the clock shim. */
  readonly needsShim?: true;
}

export const SHARED_MACHINE = "all real workers share this machine and its clocks";
export const MASTERS_ONLY = "the lab starts real masters without replicas";

export const FAULT_CATALOGUE: Readonly<Record<FaultKind, FaultEntry>> = {
  "pause-worker": { summary: "a worker's process stands still and goes on later" },
  "suspend-worker": {
    summary: "a worker's machine stands still, its monotonic clock included",
    localObstacle: SHARED_MACHINE,
  },
  "crash-worker": { summary: "a worker's process dies" },
  "jump-worker-clock": {
    summary: "the wall clock of a worker's machine steps",
    localObstacle: SHARED_MACHINE,
  },
  "skew-worker-clock": {
    summary: "the clocks of a worker's machine run fast or slow",
    localObstacle: SHARED_MACHINE,
  },
  "cut-link": { summary: "links refuse connections, or lose what is sent one way or both ways" },
  "slow-link": { summary: "messages take longer one way, evenly or unevenly" },
  "lossy-link": {
    summary: "a share of the messages is lost one way",
    localObstacle: "TCP repeats what is lost, so that a proxy can lose all of a direction or nothing",
  },
  "reset-link": { summary: "connections are reset once; new ones are made at once" },
  "slow-resource": { summary: "what a worker sends to the protected resource takes longer" },
  "crash-node": { summary: "a node's process is killed, and started again later or never" },
  "lose-power": { summary: "as a crash, and what was not synced is gone", needsShim: true },
  "stall-node": { summary: "a node's process stands still and goes on later" },
  "hold-sync": { summary: "a node's disk acknowledges background syncs and does nothing", needsShim: true },
  "jump-clock": { summary: "a node's wall clock steps", needsShim: true },
  "skew-clock": { summary: "a node's wall clock runs fast or slow", needsShim: true },
  "flush-node": { summary: "somebody empties a node (`FLUSHALL`)" },
  "flush-scripts": { summary: "a node forgets its scripts (`SCRIPT FLUSH`)" },
  "evict-key": {
    summary: "a node needs memory and gives a key up",
    localObstacle: "a real server chooses by itself what it evicts",
  },
  "delete-key": { summary: "somebody deletes a key by hand" },
  "exchange-node": { summary: "a node's address leads to another, empty server" },
  "fail-over": {
    summary: "a node's master is gone and a replica takes its place",
    localObstacle: MASTERS_ONLY,
  },
  "hold-replication": {
    summary: "a replica gets nothing any more",
    localObstacle: MASTERS_ONLY,
  },
  "rewind-counter": {
    summary: "the counter of fencing tokens forgets its last numbers",
    localObstacle: "the real counter is one server that does not fail",
  },
};

/** The options of a run that a variant or the command line may change. */

/** How a node keeps its keys: not at all, or in an append-only file synced each second or at each command. */
export type Persistence = "none" | "aof-everysec" | "aof-always";

/**
 * How nodes are out of reach: connections are refused, everything sent is lost in silence, or the servers are
 * killed.
 */
export type Outage = "refuse" | "lose" | "kill";

/**
 * Where fencing tokens come from: one counter outside the nodes; one whose replica may be behind; the maximum of
 * counters on the nodes; that maximum, written back to a quorum before it is used.
 */
export type TokenSourceKind = "counter" | "replicated-counter" | "node-counters" | "raised-counters";

export interface LabSettings {
  /** Independent masters, 1 to 9; named A, B, C, … */
  readonly nodeCount: number;
  /** Votes that a lock needs; a majority at least. */
  readonly quorum: number;
  readonly ttlMs: number;
  readonly nodeTimeoutMs: number;
  /** Share of the TTL that is given up for clocks that run apart; 0 to 0.5. */
  readonly driftFactor: number;
  readonly persistence: Persistence;
  /** Workers draw a fencing token and the resource refuses older ones. */
  readonly fencing: boolean;
  /** Readers show their token too, and the resource refuses what is older than the newest reader. */
  readonly fenceReads: boolean;
  readonly tokenSource: TokenSourceKind;
  /** Replicas behind each node, 0 to 5; they get what their master did, later. */
  readonly replicaCount: number;
  /** Share of a retry's pause that is drawn, 0 (always the whole pause) to 1 (full jitter). */
  readonly retryJitter: number;
  /** Workers look at their deadline right before they write. */
  readonly checkBeforeWrite: boolean;
  /** How long a node stays away after it was killed. */
  readonly restartAfterMs: number;
  /** A node that was killed stays away until all that it may have forgotten has expired, on top. */
  readonly delayedRestart: boolean;
  readonly outage: Outage;
  /** Workers notice when their machine was suspended, as the coordinator does on Linux (design rule 1). */
  readonly noticesSuspension: boolean;
  /** Nodes let a worker end its old connections (CLIENT KILL); where not, they deny it. */
  readonly endsConnections: boolean;
  /** A node that may have forgotten casts no vote for the longest lifetime that any worker asks for. */
  readonly restartGuard: boolean;
}

export const DEFAULT_SETTINGS: LabSettings = {
  nodeCount: 5,
  quorum: 3,
  ttlMs: 1000,
  nodeTimeoutMs: 50,
  driftFactor: 0.01,
  persistence: "none",
  fencing: false,
  fenceReads: false,
  tokenSource: "counter",
  replicaCount: 0,
  retryJitter: 1,
  checkBeforeWrite: false,
  restartAfterMs: 70,
  delayedRestart: false,
  outage: "refuse",
  noticesSuspension: false,
  endsConnections: true,
  restartGuard: false,
};

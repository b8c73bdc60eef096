/** A part of the benchmark: what it has, and what it gives. */
import type { Rig } from "../rig/rig.ts";
import type { Row } from "./row.ts";
import type { PeerName, Retry, SubjectName } from "./subject.ts";
import type { SubjectProcess } from "./subject-process.ts";

export interface Bench {
  readonly rig: Rig;
  /** How long it may take: 1 in full, less where only a glance is wanted. */
  readonly scale: number;
  readonly roundCount: number;
  /** Those that take part; none where they are not wanted. */
  readonly peers: readonly PeerName[];
  readonly peersFolder: string;
  /** Starts a subject's process; it is ended with the part. */
  readonly open: (name: SubjectName, options?: OpenOptions) => Promise<SubjectProcess>;
}

export interface OpenOptions {
  readonly retry?: Retry;
  /** Where it connects; to the nodes themselves unless given. */
  readonly urls?: readonly string[];
}

export type Part = (bench: Bench) => Promise<readonly Row[]>;

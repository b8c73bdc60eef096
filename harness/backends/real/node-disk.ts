/**
 * What one node has on disk: its folder on this machine, its clock cell, and how much of its append-only files is
 * known to have been synced.
 */
import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { InfrastructureError } from "../../lab-error.ts";
import { cutAppendOnlyFile, newestAppendOnlyFile, removeAppendOnlyFiles } from "./append-only-files.ts";
import { ClockControl } from "./clock/clock-control.ts";
import { type NodeClock, startNodeClock } from "./clock/node-clock.ts";
import { readWallClock } from "./clock/wall-clock.ts";

export interface NodeDiskOptions {
  /** The node's name; for messages. */
  readonly name: string;
  /** A directory of the node's own; it is made where it is not there, in one that is. */
  readonly folder: string;
  /** False: the node has the host's clock and cannot lose power. */
  readonly hasShim: boolean;
}

/** The cell's name in the node's folder. */
export const CLOCK_CELL = "clock.cell";

export class NodeDisk {
  readonly clockControl: ClockControl | undefined;
  readonly #options: NodeDiskOptions;
  readonly #hostClock: NodeClock;
  /** What is on disk of each append-only file, by its sequence, as all lives of this node have synced it. */
  readonly #durableBytes = new Map<number, number>();

  /** @throws InfrastructureError when the folder cannot be made. */
  constructor(options: NodeDiskOptions) {
    this.#options = options;
    const { folder, hasShim } = options;
    makeFolder(folder);
    this.#hostClock = startNodeClock(readWallClock());
    this.clockControl = hasShim ? new ClockControl(join(folder, CLOCK_CELL)) : undefined;
  }

  /** The node's wall clock as it has been moved so far. */
  get clock(): NodeClock {
    return this.clockControl?.clock ?? this.#hostClock;
  }

  /** To be called before each start: a new process has synced nothing. */
  beginLife(): void {
    this.clockControl?.forgetSynced();
  }

  /** To be called when the process is gone, and before the next life. */
  endLife(): void {
    const synced = this.clockControl?.syncedLength();
    if (synced === undefined) return;
    const known = this.#durableBytes.get(synced.fileSequence) ?? 0;
    this.#durableBytes.set(synced.fileSequence, Math.max(known, synced.bytes));
  }

  /**
   * Cuts what was not synced off the append-only file, after `endLife`.
   *
   * @returns how many bytes are gone.
   * @throws InfrastructureError when there is such a file and no shim that could tell.
   */
  losePower(): number {
    const { name, folder } = this.#options;
    const file = newestAppendOnlyFile(folder);
    if (file === undefined) return 0;
    if (this.clockControl === undefined) {
      throw new InfrastructureError(`Node ${name} cannot lose power: that needs the clock shim.`);
    }
    return cutAppendOnlyFile(file, this.#durableBytes.get(file.sequence) ?? 0);
  }

  /** Only while the node is down. */
  forgetAll(): void {
    removeAppendOnlyFiles(this.#options.folder);
    this.#durableBytes.clear();
  }

  /** Harmless when repeated. The files themselves go with their folder. */
  close(): void {
    this.clockControl?.close();
  }
}

function makeFolder(folder: string): void {
  try {
    if (!existsSync(folder)) mkdirSync(folder);
  } catch (error) {
    throw new InfrastructureError(`${folder} cannot be made; choose a folder that you can write.`, {
      cause: error,
    });
  }
}

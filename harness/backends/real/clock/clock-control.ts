/**
 * Moves the wall clock of one node, holds back its background syncs, and reads what its append-only file has on
 * disk. Works on a server that was started with the clock shim and this cell, and only while the folder exists.
 */
import { closeSync, openSync, readSync, writeFileSync, writeSync } from "node:fs";
import {
  HOLD_SYNC_AT,
  newCell,
  SYNCED_AT,
  SYNCED_BYTES,
  type SyncedLength,
  syncedLengthFrom,
} from "./clock-cell.ts";
import { jumpClock, lastSegment, type NodeClock, setClockRate, startNodeClock } from "./node-clock.ts";
import { publishSegment } from "./publish-segment.ts";
import { readWallClock } from "./wall-clock.ts";

const READ_TRIES_MAX = 10;

export class ClockControl {
  readonly path: string;
  readonly #file: number;
  #clock: NodeClock;
  #generation = 0;
  #isClosed = false;

  /** Makes the cell at `path`; the clock shows the host's time and runs with it. */
  constructor(path: string) {
    this.path = path;
    this.#clock = startNodeClock(readWallClock());
    writeFileSync(path, newCell(lastSegment(this.#clock)));
    this.#file = openSync(path, "r+");
  }

  /** The clock as it has been moved so far. */
  get clock(): NodeClock {
    return this.#clock;
  }

  /** Environment that makes a server take this clock. */
  environment(shimPath: string): Readonly<Record<string, string>> {
    return { LD_PRELOAD: shimPath, REDLOCK_LAB_CELL: this.path };
  }

  /** Steps the clock, back where negative. @returns the monotonic time of the step. */
  jump(byMs: number): bigint {
    const nowNs = process.hrtime.bigint();
    this.#publish(jumpClock(this.#clock, { byMs, nowNs }));
    return nowNs;
  }

  /** Changes how fast the clock runs, without a step; 1 is exact. @returns the monotonic time of the change. */
  setRate(rate: number): bigint {
    const nowNs = process.hrtime.bigint();
    this.#publish(setClockRate(this.#clock, { rate, nowNs }));
    return nowNs;
  }

  /** While held, background syncs report success and make nothing durable. */
  holdSync(isHeld: boolean): void {
    writeSync(this.#file, Buffer.of(isHeld ? 1 : 0), 0, 1, HOLD_SYNC_AT);
  }

  /**
   * How much of the newest append-only file completed syncs have put on disk since the server's start;
   * `undefined` while there was none, and after `close`.
   */
  syncedLength(): SyncedLength | undefined {
    if (this.#isClosed) return undefined;
    let last = this.#readSynced();
    // A read beside a running server could meet half a write: two equal reads are a whole one.
    for (let tries = 0; tries < READ_TRIES_MAX; tries++) {
      const next = this.#readSynced();
      if (next.equals(last)) break;
      last = next;
    }
    return syncedLengthFrom(last);
  }

  /** To be called while the server is down: a new process has synced nothing. */
  forgetSynced(): void {
    writeSync(this.#file, Buffer.alloc(SYNCED_BYTES), 0, SYNCED_BYTES, SYNCED_AT);
  }

  /** Harmless when repeated. The file itself goes with its folder. */
  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    closeSync(this.#file);
  }

  #publish(clock: NodeClock): void {
    this.#generation = publishSegment(this.#file, lastSegment(clock), this.#generation);
    this.#clock = clock;
  }

  #readSynced(): Buffer {
    const bytes = Buffer.alloc(SYNCED_BYTES);
    readSync(this.#file, bytes, 0, SYNCED_BYTES, SYNCED_AT);
    return bytes;
  }
}

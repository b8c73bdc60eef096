/** The server of one node, whatever runs it: a process of this machine, or a container. */
import type { NodeName } from "../../history/event.ts";
import type { ClockControl } from "./clock/clock-control.ts";
import type { NodeClock } from "./clock/node-clock.ts";

export interface NodeServer {
  readonly name: NodeName;
  /** On 127.0.0.1: where the laboratory itself reaches it, past the links that faults lie on. */
  readonly port: number;
  /** The node's wall clock as it has been moved so far. */
  readonly clock: NodeClock;
  /** Absent without the clock shim: the node then has the host's clock and cannot lose power. */
  readonly clockControl: ClockControl | undefined;
  readonly isRunning: boolean;
  /**
   * Starts it again; resolves when it answers.
   *
   * @throws InfrastructureError when it does not within some seconds.
   */
  readonly start: () => Promise<void>;
  /** SIGKILL; resolves when it is gone. What it had written to its files stays, synced or not. */
  readonly kill: () => Promise<void>;
  /**
   * SIGKILL, and what was not synced is cut off the append-only file.
   *
   * @returns how many bytes are gone.
   * @throws InfrastructureError when the node keeps such a file and runs without the shim.
   */
  readonly losePower: () => Promise<number>;
  /** What it had on disk is gone: the next one that is started here is another server. Only while it is down. */
  readonly forgetAll: () => void;
  /** Connections stand, nobody answers. */
  readonly stall: () => Promise<void> | void;
  readonly resume: () => Promise<void> | void;
}

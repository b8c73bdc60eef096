/**
 * What the command line needs of the process and of the laboratory. Everything that is slow to load or that
 * touches servers comes in here, so that `list` starts at once and tests bring their own.
 */
import type { Backend, BackendName } from "../backends/backend.ts";
import type { RunResult } from "../report/run-result.ts";
import type { LabRequest } from "../runner/lab-request.ts";
import type { Scenario } from "../scenario/scenario.ts";

export interface Output {
  readonly write: (text: string) => void;
  readonly isTerminal: boolean;
  /** Columns of the terminal; `undefined` where it is none. */
  readonly columns: number | undefined;
}

export interface BackendOptions {
  /** Only where servers are started: the first of their ports. */
  readonly portBase?: number | undefined;
}

export interface Laboratory {
  readonly scenarios: readonly Scenario[];
  readonly runLab: (request: LabRequest) => Promise<readonly RunResult[]>;
  readonly createBackend: (name: BackendName, options: BackendOptions) => Promise<Backend>;
  readonly runDoctor: (options: {
    readonly json: boolean;
  }) => Promise<{ readonly text: string; readonly exitCode: number }>;
}

export interface CliWorld {
  /** Of this package. */
  readonly version: string;
  readonly out: Output;
  readonly err: Output;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Milliseconds since 1970. */
  readonly nowMs: () => number;
  /** Calls back for SIGINT, SIGTERM and SIGHUP until the returned function is called. */
  readonly onInterrupt: (listener: () => void) => () => void;
  /** Ends the process at once. */
  readonly exitNow: (code: number) => void;
  readonly laboratory: Laboratory;
}

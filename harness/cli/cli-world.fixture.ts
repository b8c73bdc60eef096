/** A world for tests of the command line: no process, no servers, everything that is said is kept. */
import type { Backend } from "../backends/backend.ts";
import { runResult } from "../report/run-result.fixture.ts";
import type { RunResult } from "../report/run-result.ts";
import type { LabRequest } from "../runner/lab-request.ts";
import type { Scenario } from "../scenario/scenario.ts";
import type { BackendOptions, CliWorld, Laboratory } from "./world.ts";

export const STORY: Scenario = {
  id: "S16",
  title: "Delayed restart",
  summary: "The node stays away.",
  aliases: [{ name: "antirez-delayed-restart", source: "Redis documentation" }],
  story: () => {
    throw new Error("not told in these tests");
  },
  variants: [{ name: "plain", summary: "Holds.", expect: {} }],
};

export const BACKEND: Backend = {
  name: "local",
  isDeterministic: false,
  whyNot: () => undefined,
  play: () => Promise.reject(new Error("not played in these tests")),
};

export interface FakeWorld extends CliWorld {
  readonly said: { out: string; err: string };
  readonly requests: LabRequest[];
  readonly backendOptions: BackendOptions[];
  readonly exits: number[];
  /** Sends a signal. */
  readonly interrupt: () => void;
}

export function fakeWorld(
  results: readonly RunResult[] = [runResult()],
  laboratory: Partial<Laboratory> = {},
  terminal: { readonly isTerminal: boolean; readonly columns?: number } = { isTerminal: false },
): FakeWorld {
  const said = { out: "", err: "" };
  const requests: LabRequest[] = [];
  const backendOptions: BackendOptions[] = [];
  const exits: number[] = [];
  const listeners = new Set<() => void>();
  const output = (name: "out" | "err") => ({
    write: (text: string) => {
      said[name] += text;
    },
    isTerminal: terminal.isTerminal,
    columns: terminal.columns,
  });
  return {
    version: "1.2.3",
    out: output("out"),
    err: output("err"),
    env: {},
    nowMs: () => Date.UTC(2026, 0, 1),
    onInterrupt: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    exitNow: (code) => exits.push(code),
    laboratory: {
      scenarios: [STORY, { ...STORY, id: "S01", title: "Holder paused", aliases: [] }],
      createBackend: (_name, options) => {
        backendOptions.push(options);
        return Promise.resolve(BACKEND);
      },
      runLab: (request) => {
        requests.push(request);
        for (const result of results) request.onProgress({ kind: "run-finished", result });
        return Promise.resolve(results);
      },
      runDoctor: () => Promise.resolve({ text: "all there\n", exitCode: 0 }),
      ...laboratory,
    },
    said,
    requests,
    backendOptions,
    exits,
    interrupt: () => {
      for (const listener of listeners) listener();
    },
  };
}

/** The local backend: real redis-servers, a real toxiproxy-server and worker processes on this machine. */
import pLimit from "p-limit";
import { FAULT_CATALOGUE } from "../../faults/fault-catalogue.ts";
import { whyNotOnLocal } from "../../faults/local-capability.ts";
import type { Backend } from "../backend.ts";
import { clockShimObstacle } from "./clock-shim.ts";
import { playRealRun } from "../real/play/real-run.ts";
import { openLocalServers } from "./play/open-servers.ts";
import { findRunPrograms, type RunPrograms } from "./play/run-programs.ts";
import { findCompiler } from "./programs.ts";
import { Supervisor } from "../real/supervisor/supervisor.ts";

export interface LocalBackendOptions {
  /** First port of the block to use, 1024 to 65535; without it, free ports are looked for. */
  readonly portBase?: number | undefined;
}

/** Processes that start at once, over all runs: more would make each other late. */
const STARTS_MAX = 4;

/** Looks what this machine can do; starts nothing before the first run. */
export async function createLocalBackend({ portBase }: LocalBackendOptions = {}): Promise<Backend> {
  const startLimit = pLimit(STARTS_MAX);
  const compiler = await findCompiler();
  const obstacle = clockShimObstacle({
    platform: process.platform,
    compiler: compiler.kind === "found" ? compiler.path : undefined,
  });
  let programs: Promise<RunPrograms> | undefined;
  let supervisor: Promise<Supervisor> | undefined;
  return {
    name: "local",
    isDeterministic: false,
    whyNot: (plan) => {
      const needsShim = plan.faults.some(({ fault }) => FAULT_CATALOGUE[fault.kind].needsShim);
      return whyNotOnLocal(plan) ?? (needsShim ? obstacle?.sentence : undefined);
    },
    async play(plan, { signal }) {
      programs ??= findRunPrograms();
      supervisor ??= Supervisor.start();
      const found = await programs;
      return await playRealRun({
        ...{ backend: "local", plan, startLimit, portBase, signal },
        supervisor: await supervisor,
        openServers: (options) => openLocalServers({ ...options, programs: found, startLimit }),
      });
    },
  };
}

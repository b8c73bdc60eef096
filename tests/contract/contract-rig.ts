/** What the contract needs of this machine: programs, a port, a folder, and the end of all of it. */
import { randomUUID } from "node:crypto";
import { buildClockShim, clockShimObstacle } from "../../harness/backends/local/clock-shim.ts";
import { reservePorts } from "../../harness/backends/real/port-reservation.ts";
import { cacheFolder, findCompiler, requireProgram } from "../../harness/backends/local/programs.ts";
import { createRunFolder } from "../../harness/backends/real/run-folder.ts";
import { Supervisor } from "../../harness/backends/real/supervisor/supervisor.ts";
import { InfrastructureError } from "../../harness/lab-error.ts";
import { requireServer } from "../servers/other-servers.ts";
import type { ServerPlace } from "./standing-server.ts";

export interface ContractRig {
  /** For the server that stays, and for those that come and go. */
  readonly places: { readonly lasting: ServerPlace; readonly restarted: ServerPlace };
  readonly redisVersion: string;
  /** To be called when its servers have been stopped. */
  readonly close: () => Promise<void>;
}

/**
 * @param program the path of another server's than the laboratory's own.
 * @throws InfrastructureError with one sentence when this machine cannot play the real side. */
export async function openContractRig(program?: string): Promise<ContractRig> {
  const redis = await requireServer(program);
  const shimPath = await clockShim();
  const supervisor = await Supervisor.start();
  const runLabel = randomUUID();
  supervisor.watchRun(runLabel);
  const folder = await createRunFolder(supervisor);
  const reservation = await reservePorts(2);
  const [lastingPort = 0, restartedPort = 0] = reservation.ports;
  const place = { program: redis.path, shimPath, folder: folder.path, runLabel, ledger: supervisor };
  return {
    places: { lasting: { ...place, port: lastingPort }, restarted: { ...place, port: restartedPort } },
    redisVersion: redis.version,
    close: async () => {
      await folder.remove();
      await supervisor.close();
      await reservation.release();
    },
  };
}

async function clockShim(): Promise<string> {
  const compiler = await findCompiler();
  const obstacle = clockShimObstacle({ platform: process.platform, compiler: "any" });
  if (obstacle !== undefined) throw new InfrastructureError(`The contract: ${obstacle.sentence}.`);
  return buildClockShim({ compiler: requireProgram(compiler).path, cacheDir: cacheFolder() });
}

/** The programs that a local run needs, found once for each laboratory process. */
import { buildClockShim, clockShimObstacle } from "../clock-shim.ts";
import {
  cacheFolder,
  findCompiler,
  findRedisServer,
  findToxiproxyServer,
  requireProgram,
} from "../programs.ts";

export interface RunPrograms {
  readonly redisServer: string;
  readonly toxiproxyServer: string;
  /** Absent where clocks cannot be moved on this machine. */
  readonly shimPath?: string;
}

/** @throws InfrastructureError when a server is missing; the sentence names the command that brings it. */
export async function findRunPrograms(): Promise<RunPrograms> {
  const redisServer = requireProgram(await findRedisServer()).path;
  const toxiproxyServer = requireProgram(await findToxiproxyServer()).path;
  const compiler = await findCompiler();
  const compilerPath = compiler.kind === "found" ? compiler.path : undefined;
  const obstacle = clockShimObstacle({ platform: process.platform, compiler: compilerPath });
  if (obstacle !== undefined || compilerPath === undefined) return { redisServer, toxiproxyServer };
  const shimPath = await buildClockShim({ compiler: compilerPath, cacheDir: cacheFolder() });
  return { redisServer, toxiproxyServer, shimPath };
}

/** `redlock-lab doctor`: looks at this machine and says what the laboratory can do on it. */
import { findCompiler, findRedisServer, findToxiproxyServer } from "../backends/local/programs.ts";
import { doctorJson, doctorText, missingPrograms } from "./doctor-text.ts";

const ALL_THERE = 0;
const SOMETHING_MISSING = 70;

export interface Diagnosis {
  readonly text: string;
  readonly exitCode: number;
}

/** Never rejects for a program that is missing: that is what it is asked. */
export async function runDoctor({ json }: { readonly json: boolean }): Promise<Diagnosis> {
  const [redisServer, toxiproxyServer, compiler] = await Promise.all([
    findRedisServer(),
    findToxiproxyServer(),
    findCompiler(),
  ]);
  const examination = {
    platform: process.platform,
    nodeVersion: process.versions.node,
    redisServer,
    toxiproxyServer,
    compiler,
  };
  const exitCode = missingPrograms(examination).length === 0 ? ALL_THERE : SOMETHING_MISSING;
  return { text: json ? doctorJson(examination) : doctorText(examination), exitCode };
}

/** The real Porcupine: builds the program of this folder, and asks it about exported histories. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { porcupineText } from "../../harness/export/porcupine.ts";
import type { History } from "../../harness/history/history.ts";

/** On a machine without Go a toolchain is brought first. */
const BUILD_LIMIT_MS = 240_000;
const JUDGE_LIMIT_MS = 60_000;

export interface PorcupineJudge extends Disposable {
  /** `legal` or `illegal` for each history, `unknown` where Porcupine gave up. */
  readonly judge: (histories: readonly History[]) => readonly string[];
}

export function buildPorcupineJudge(): PorcupineJudge {
  const folder = mkdtempSync(join(tmpdir(), "redlock-lab-porcupine-"));
  const program = join(folder, "judge");
  const script = join(import.meta.dirname, "build-judge.sh");
  run("bash", [script, program], BUILD_LIMIT_MS);
  return {
    judge: (histories) => {
      const files = histories.map((history, index) => {
        const file = join(folder, `${index}.jsonl`);
        writeFileSync(file, porcupineText(history));
        return file;
      });
      return run(program, files, JUDGE_LIMIT_MS).split("\n").slice(0, -1);
    },
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  };
}

function run(program: string, argv: readonly string[], timeout: number): string {
  const { status, stdout, stderr, error } = spawnSync(program, argv, { encoding: "utf8", timeout });
  if (error !== undefined) throw error;
  if (status !== 0) throw new Error(`${program} ended with ${status}: ${stderr}`);
  return stdout;
}

/** The command line that installs what is missing, as the user has to type it where he is. */
import { existsSync } from "node:fs";
import { dirname, join, relative } from "node:path";

/** Compiled code lies one folder deeper than its source. */
const STEPS_MAX = 6;

/**
 * `bash scripts/set-up.sh` in a checkout, the path below `node_modules` in a project that installed the package.
 *
 * @param insideFolder any folder of the package.
 */
export function setUpCommand(workingFolder: string, insideFolder: string): string {
  let folder = insideFolder;
  for (let step = 0; step < STEPS_MAX; step += 1) {
    const script = join(folder, "scripts", "set-up.sh");
    if (existsSync(script)) return `bash ${relative(workingFolder, script)}`;
    folder = dirname(folder);
  }
  return "bash scripts/set-up.sh";
}

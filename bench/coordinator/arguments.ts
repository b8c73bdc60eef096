/** What `npm run bench` was asked for. */
import { accessSync, constants, statSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { parseArgs } from "node:util";
import { UsageError } from "../../harness/lab-error.ts";

export interface BenchPlan {
  readonly parts: readonly string[];
  /** A glance is wanted. */
  readonly isShort: boolean;
  readonly wantsPeers: boolean;
  /** Where the rows go, for a machine. */
  readonly jsonPath: string | undefined;
}

const HELP = `npm run bench -- [options]: the coordinator beside the floor that ioredis gives and beside other lock libraries,
on five redis-servers of its own. A target that is missed is said, and the exit code is 0 all the same.

  --parts a,b    only these parts
  --short        a glance: about a minute
  --no-peers     beside the floors alone; nothing is installed
  --json FILE    writes every row, for a machine; after Ctrl-C those that there are
  --help         this text

Exit codes: 0 it was measured, 64 an option that cannot be, 70 a program is missing, 130 or 143 ended early.
`;

/**
 * @param names the parts that there are.
 * @returns the plan, or the text that was asked for instead.
 * @throws UsageError with one sentence for what cannot be.
 */
export function planFrom(
  args: readonly string[],
  names: readonly string[],
): BenchPlan | { readonly help: string } {
  const given = parse(args);
  if (given.help) return { help: `${HELP}\nParts: ${names.join(", ")}\n` };
  const parts = given.parts === undefined ? names : given.parts.split(",").map((name) => name.trim());
  const unknown = parts.filter((name) => !names.includes(name));
  if (unknown.length > 0) {
    const told = unknown.map((name) => `"${name}"`).join(", ");
    throw new UsageError(`there is no part ${told}; choose of ${names.join(", ")}.`);
  }
  const jsonPath = given.json === undefined ? undefined : resolve(given.json);
  if (jsonPath !== undefined) assertWritable(jsonPath);
  return { parts: [...new Set(parts)], isShort: given.short, wantsPeers: !given["no-peers"], jsonPath };
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: {
        json: { type: "string" },
        parts: { type: "string" },
        short: { type: "boolean", default: false },
        "no-peers": { type: "boolean", default: false },
        help: { type: "boolean", short: "h", default: false },
      },
    }).values;
  } catch (error) {
    const [sentence = ""] = (error instanceof Error ? error.message : String(error)).split(". ");
    throw new UsageError(`${sentence.replace(/\.$/, "")}; --help lists the options.`);
  }
}

/** Before minutes are spent on what could not be written then. */
function assertWritable(path: string): void {
  const folder = dirname(path);
  if (!isFolder(folder)) throw new UsageError(`--json: there is no folder ${folder}; make it first.`);
  if (isFolder(path)) throw new UsageError(`--json: ${path} is a folder; name a file in it.`);
  try {
    accessSync(folder, constants.W_OK);
  } catch {
    throw new UsageError(`--json: the folder ${folder} cannot be written to; choose another.`);
  }
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

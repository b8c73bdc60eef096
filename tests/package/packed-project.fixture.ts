/** Packs a folder and installs the tarball into a project of its own, as a user would. */
import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);

/** npm hands its settings down to the tests that it runs; the user's project must not see them. */
const CLEAN_ENVIRONMENT = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => !/^npm_|^INIT_CWD$|^NODE_PATH$/i.test(name)),
);

export interface Ran {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface PackedProject {
  readonly folder: string;
  readonly tarball: string;
  /** What the tarball holds. */
  files(): Promise<readonly string[]>;
  run(command: string, ...args: readonly string[]): Promise<Ran>;
  write(name: string, text: string): Promise<void>;
  readJson(path: string): Promise<unknown>;
  dispose(): Promise<void>;
}

/** @param packArguments `--ignore-scripts` where the build is there already and must not be touched. */
export async function installPacked(
  folder: string,
  packArguments: readonly string[],
): Promise<PackedProject> {
  const project = await mkdtemp(join(tmpdir(), "redlock-lab-package-"));
  const runIn = (cwd: string) => (command: string, args: readonly string[]) => runIt(cwd, command, args);
  const packed = await runIn(folder)("npm", [
    "pack",
    "--json",
    "--pack-destination",
    project,
    ...packArguments,
  ]);
  const tarball = join(project, tarballName(packed));

  await writeFile(
    join(project, "package.json"),
    JSON.stringify({ name: "user", private: true, type: "module" }),
  );
  const flags = ["--prefer-offline", "--ignore-scripts", "--no-audit", "--no-fund"];
  const installed = await runIn(project)("npm", ["install", ...flags, tarball]);
  if (installed.code !== 0) throw new Error(`npm install failed: ${installed.stderr}`);

  return {
    folder: project,
    tarball,
    files: async () => {
      const { stdout } = await runIn(project)("tar", ["-tzf", tarball]);
      return stdout.trim().split("\n");
    },
    run: (command, ...args) => runIn(project)(command, args),
    write: (name, text) => writeFile(join(project, name), text),
    readJson: async (path) => JSON.parse(await readFile(join(project, path), "utf8")) as unknown,
    dispose: () => rm(project, { recursive: true, force: true }),
  };
}

/** npm prints what the scripts of a package say before its own answer. */
function tarballName({ stdout, stderr }: Ran): string {
  const filename = /"filename":\s*"([^"]+[.]tgz)"/.exec(stdout)?.[1];
  if (filename === undefined) throw new Error(`npm pack failed: ${stderr}`);
  return filename;
}

async function runIt(cwd: string, command: string, args: readonly string[]): Promise<Ran> {
  try {
    const { stdout, stderr } = await run(command, args, { cwd, env: CLEAN_ENVIRONMENT, timeout: 120_000 });
    return { code: 0, stdout, stderr };
  } catch (error) {
    const { code, stdout = "", stderr = "" } = error as { code?: unknown; stdout?: string; stderr?: string };
    return { code: typeof code === "number" ? code : 1, stdout, stderr };
  }
}

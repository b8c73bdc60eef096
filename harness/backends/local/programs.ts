/**
 * Finds the programs that the local backend starts: redis-server, toxiproxy-server and, for the clock shim, a
 * C compiler. Looks where `scripts/set-up.sh` looks and puts things; installs nothing itself.
 */
import { execFile } from "node:child_process";
import { constants } from "node:fs";
import { access, stat } from "node:fs/promises";
import { homedir } from "node:os";
import { delimiter, isAbsolute, join } from "node:path";
import { InfrastructureError } from "../../lab-error.ts";
import { setUpCommand } from "./set-up-command.ts";

export type ProgramName = "redis-server" | "toxiproxy-server" | "C compiler";

export interface FoundProgram {
  readonly kind: "found";
  readonly name: ProgramName;
  readonly path: string;
  readonly version: string;
}

export interface MissingProgram {
  readonly kind: "missing";
  readonly name: ProgramName;
  /** A clause without a full stop: what was looked for and not found. */
  readonly reason: string;
  /** The command line, or the setting, that brings it. */
  readonly command: string;
}

export type Program = FoundProgram | MissingProgram;

/** What decides where programs are looked for; tests give their own. */
export interface ProgramSearch {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly platform: NodeJS.Platform;
  readonly home: string;
  /** Looked at after the PATH, which a program that was not started from a shell may lack. */
  readonly usualFolders: readonly string[];
}

interface Sought {
  readonly name: ProgramName;
  /** The environment variable that names the user's own program and nothing else. */
  readonly variable?: string;
  readonly candidates: readonly string[];
  readonly versionArgument: string;
  readonly parseVersion: (output: string) => string | undefined;
  /** Why this version is of no use; `undefined` where it is. */
  readonly whyNot: (version: string) => string | undefined;
  readonly homebrewCommand: string;
}

const PROBE_LIMIT_MS = 5_000;
const REDIS_MAJOR_MIN = 7;
const TOXIPROXY_MINOR_MIN = 12;

/** The append-only file must have the layout of Redis 7: power loss is played by cutting it. */
export function findRedisServer(search: ProgramSearch = ownSearch()): Promise<Program> {
  return findProgram(search, {
    name: "redis-server",
    variable: "REDIS_SERVER",
    candidates: [
      ...onPath("redis-server", search),
      ...search.usualFolders.map((folder) => join(folder, "redis-server")),
      join(cacheFolder(search), "redis-server"),
    ],
    versionArgument: "--version",
    parseVersion: (output) => /\bv=([\d.]+)/.exec(output)?.[1],
    whyNot: (version) =>
      Number.parseInt(version, 10) < REDIS_MAJOR_MIN ? `older than ${REDIS_MAJOR_MIN}` : undefined,
    homebrewCommand: "brew install redis",
  });
}

export function findToxiproxyServer(search: ProgramSearch = ownSearch()): Promise<Program> {
  return findProgram(search, {
    name: "toxiproxy-server",
    variable: "TOXIPROXY_SERVER",
    candidates: [join(cacheFolder(search), "toxiproxy-server"), ...onPath("toxiproxy-server", search)],
    versionArgument: "-version",
    parseVersion: (output) => /\bversion (\S+)/.exec(output)?.[1],
    whyNot: (version) => (isToxiproxyNewEnough(version) ? undefined : `older than 2.${TOXIPROXY_MINOR_MIN}`),
    homebrewCommand: "brew install toxiproxy",
  });
}

/** `CC` is a hint: it is not ours alone, and may hold arguments. */
export function findCompiler(search: ProgramSearch = ownSearch()): Promise<Program> {
  return findProgram(search, {
    name: "C compiler",
    candidates: [search.env["CC"] ?? "", "cc", "gcc", "clang"].flatMap((name) => onPath(name, search)),
    versionArgument: "--version",
    parseVersion: compilerVersion,
    whyNot: () => undefined,
    homebrewCommand: "xcode-select --install",
  });
}

/** @throws InfrastructureError with one sentence where the program is missing. */
export function requireProgram(program: Program): FoundProgram {
  if (program.kind === "found") return program;
  throw new InfrastructureError(`${program.reason}. To get it: ${program.command}`);
}

/** Where this process looks. */
export function ownSearch(): ProgramSearch {
  return {
    env: process.env,
    platform: process.platform,
    home: homedir(),
    usualFolders: ["/opt/homebrew/bin"],
  };
}

async function findProgram(search: ProgramSearch, sought: Sought): Promise<Program> {
  const { variable } = sought;
  const named = variable === undefined ? "" : (search.env[variable] ?? "");
  if (variable !== undefined && named !== "") return probeNamed(named, variable, sought);

  let unusable: string | undefined;
  for (const path of sought.candidates) {
    if (!(await isRunnable(path))) continue;
    const version = await readVersion(path, sought);
    const objection = version === undefined ? "does not tell its version" : sought.whyNot(version);
    if (version !== undefined && objection === undefined) {
      return { kind: "found", name: sought.name, path, version };
    }
    unusable ??= `${path} ${version === undefined ? "" : `is version ${version}, `}${objection ?? ""}`;
  }
  const command =
    search.platform === "darwin" ? sought.homebrewCommand : setUpCommand(process.cwd(), import.meta.dirname);
  return { kind: "missing", name: sought.name, reason: unusable ?? `${sought.name} is not there`, command };
}

/** A program that the user named is taken at its word: its version is read and not judged. */
async function probeNamed(path: string, variable: string, sought: Sought): Promise<Program> {
  const { name } = sought;
  const version = (await isRunnable(path)) ? await readVersion(path, sought) : undefined;
  if (version !== undefined) return { kind: "found", name, path, version };
  const reason = `${variable} names ${path}, which does not run as a ${name}`;
  return { kind: "missing", name, reason, command: `set ${variable} to the path of a ${name}, or unset it` };
}

async function isRunnable(path: string): Promise<boolean> {
  try {
    await access(path, constants.X_OK);
    return (await stat(path)).isFile();
  } catch {
    // Not there, or not ours to run: the same for a search.
    return false;
  }
}

function readVersion(path: string, { versionArgument, parseVersion }: Sought): Promise<string | undefined> {
  return new Promise((resolve) => {
    execFile(path, [versionArgument], { timeout: PROBE_LIMIT_MS }, (error, stdout) => {
      resolve(error === null ? parseVersion(stdout) : undefined);
    });
  });
}

/** The first word of the first line that looks like one; packagers put their own in brackets before it. */
function compilerVersion(output: string): string {
  const firstLine = output.split("\n", 1)[0] ?? "";
  return /(?:^| )(\d+(?:\.\d+)+)(?= |$)/.exec(firstLine)?.[1] ?? firstLine.trim();
}

function isToxiproxyNewEnough(version: string): boolean {
  const parts = /^2\.(\d+)\./.exec(version);
  return parts !== null && Number(parts[1]) >= TOXIPROXY_MINOR_MIN;
}

function onPath(name: string, { env }: ProgramSearch): readonly string[] {
  if (name === "" || isAbsolute(name)) return name === "" ? [] : [name];
  const folders = (env["PATH"] ?? "").split(delimiter).filter((folder) => folder !== "");
  return folders.map((folder) => join(folder, name));
}

/** The user's cache folder for what the laboratory installs and compiles. */
export function cacheFolder({ env, home }: Pick<ProgramSearch, "env" | "home"> = ownSearch()): string {
  return join(env["XDG_CACHE_HOME"] || join(home, ".cache"), "redlock-lab");
}

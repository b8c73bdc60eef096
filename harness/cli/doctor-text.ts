/** What `redlock-lab doctor` says. Pure: what was found comes in, text goes out. */
import type { MissingProgram, Program, ProgramName } from "../backends/local/programs.ts";
import type { FaultKind } from "../faults/fault.ts";

export interface Examination {
  readonly platform: string;
  readonly nodeVersion: string;
  readonly redisServer: Program;
  readonly toxiproxyServer: Program;
  readonly compiler: Program;
}

/** What a kind of fault needs beside redis-server, which everything needs. */
interface Needs {
  readonly programs: readonly ProgramName[];
  readonly linuxOnly: boolean;
}

const NOTHING: Needs = { programs: [], linuxOnly: false };
const PROXY: Needs = { programs: ["toxiproxy-server"], linuxOnly: false };
const SHIM: Needs = { programs: ["C compiler"], linuxOnly: true };

const NEEDS: Readonly<Partial<Record<FaultKind, Needs>>> = {
  "pause-worker": NOTHING,
  "crash-worker": NOTHING,
  "crash-node": NOTHING,
  "stall-node": NOTHING,
  "cut-link": PROXY,
  "slow-link": PROXY,
  "jump-clock": SHIM,
  "skew-clock": SHIM,
  "lose-power": SHIM,
  "hold-sync": SHIM,
};

/** Programs without which something cannot be done on this platform. */
export function missingPrograms(examination: Examination): readonly MissingProgram[] {
  const { platform, redisServer, toxiproxyServer, compiler } = examination;
  const wanted =
    platform === "linux" ? [redisServer, toxiproxyServer, compiler] : [redisServer, toxiproxyServer];
  return wanted.filter((program) => program.kind === "missing");
}

/** Why each fault that cannot be injected cannot; the others are left out. */
export function impossibleFaults(examination: Examination): ReadonlyMap<string, string> {
  const missing = new Set(missingPrograms(examination).map(({ name }) => name));
  const reasons = new Map<string, string>();
  for (const [kind, needs] of Object.entries(NEEDS)) {
    const lacking = ["redis-server" as const, ...needs.programs].find((name) => missing.has(name));
    if (lacking !== undefined) reasons.set(kind, `needs ${article(lacking)}`);
    else if (needs.linuxOnly && examination.platform !== "linux") reasons.set(kind, "Linux only");
  }
  return reasons;
}

export function doctorText(examination: Examination): string {
  const { nodeVersion, redisServer, toxiproxyServer, compiler } = examination;
  const node = { kind: "found", name: "Node.js", path: "", version: nodeVersion } as const;
  const lines = [node, redisServer, toxiproxyServer, compiler].map(programLine);
  return [lines, faultLines(examination), commandLines(examination)].map(paragraph).join("");
}

function programLine(
  program: Program | { readonly kind: "found"; name: string; path: string; version: string },
) {
  if (program.kind === "missing") return `missing  ${program.name.padEnd(17)} ${program.reason}`;
  return `there    ${program.name.padEnd(17)} ${program.version.padEnd(9)} ${program.path}`.trimEnd();
}

function faultLines(examination: Examination): readonly string[] {
  const reasons = impossibleFaults(examination);
  if (reasons.size === 0) return ["Every fault can be injected."];
  return ["Cannot be injected here:", ...[...reasons].map(([kind, why]) => `  ${kind.padEnd(13)} ${why}`)];
}

function commandLines(examination: Examination): readonly string[] {
  const commands = new Set(missingPrograms(examination).map(({ command }) => command));
  return commands.size === 0
    ? []
    : ["To get what is missing:", ...[...commands].map((command) => `  ${command}`)];
}

function article(name: ProgramName): string {
  return name === "C compiler" ? `a ${name}` : name;
}

function paragraph(lines: readonly string[], index: number): string {
  if (lines.length === 0) return "";
  return `${index === 0 ? "" : "\n"}${lines.join("\n")}\n`;
}

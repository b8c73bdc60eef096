/** What `redlock-lab doctor` says. Pure: what was found comes in, text goes out. */
import type { MissingProgram, Program, ProgramName } from "../backends/local/programs.ts";
import { FAULT_CATALOGUE, type FaultEntry } from "../faults/fault-catalogue.ts";
import { isLinkKind } from "../faults/fault-families.ts";

export interface Examination {
  readonly platform: string;
  readonly nodeVersion: string;
  readonly redisServer: Program;
  readonly toxiproxyServer: Program;
  readonly compiler: Program;
}

/** Beside redis-server, which everything needs. */
function programsFor(kind: string, { needsShim }: FaultEntry): readonly ProgramName[] {
  if (needsShim === true) return ["C compiler"];
  return isLinkKind(kind) ? ["toxiproxy-server"] : [];
}

/** Programs without which something cannot be done on this platform. */
export function missingPrograms(examination: Examination): readonly MissingProgram[] {
  const { platform, redisServer, toxiproxyServer, compiler } = examination;
  const wanted =
    platform === "linux" ? [redisServer, toxiproxyServer, compiler] : [redisServer, toxiproxyServer];
  return wanted.filter((program) => program.kind === "missing");
}

/** Why each fault that cannot be injected on real servers cannot; the others are left out. */
export function impossibleFaults(examination: Examination): ReadonlyMap<string, string> {
  const missing = new Set(missingPrograms(examination).map(({ name }) => name));
  const reasons = new Map<string, string>();
  for (const [kind, entry] of Object.entries(FAULT_CATALOGUE)) {
    // What no real server can do has nothing to do with this machine.
    if (entry.localObstacle !== undefined) continue;
    const lacking = ["redis-server" as const, ...programsFor(kind, entry)].find((name) => missing.has(name));
    if (lacking !== undefined) reasons.set(kind, `needs ${article(lacking)}`);
    else if (entry.needsShim === true && examination.platform !== "linux") reasons.set(kind, "Linux only");
  }
  return reasons;
}

export function doctorText(examination: Examination): string {
  const { nodeVersion, redisServer, toxiproxyServer, compiler } = examination;
  const node = { kind: "found", name: "Node.js", path: "", version: nodeVersion } as const;
  const lines = [node, redisServer, toxiproxyServer, compiler].map(programLine);
  return [lines, faultLines(examination), commandLines(examination)].map(paragraph).join("");
}

/** The same for programs; the schema grows, and nothing in it changes its meaning. */
export function doctorJson(examination: Examination): string {
  const { platform, nodeVersion, redisServer, toxiproxyServer, compiler } = examination;
  const report = {
    schema: "redlock-lab/doctor/1",
    platform,
    node: nodeVersion,
    programs: [redisServer, toxiproxyServer, compiler],
    impossibleFaults: Object.fromEntries(impossibleFaults(examination)),
    commands: commandsOf(examination),
  };
  return `${JSON.stringify(report, undefined, 2)}\n`;
}

function programLine(
  program: Program | { readonly kind: "found"; name: string; path: string; version: string },
) {
  if (program.kind === "missing") return `missing  ${program.name.padEnd(17)} ${program.reason}`;
  return `there    ${program.name.padEnd(17)} ${program.version.padEnd(9)} ${program.path}`.trimEnd();
}

function faultLines(examination: Examination): readonly string[] {
  const reasons = impossibleFaults(examination);
  if (reasons.size === 0) return ["Every fault that real servers can show can be injected."];
  return ["Cannot be injected here:", ...[...reasons].map(([kind, why]) => `  ${kind.padEnd(13)} ${why}`)];
}

function commandLines(examination: Examination): readonly string[] {
  const commands = commandsOf(examination);
  return commands.length === 0
    ? []
    : ["To get what is missing:", ...commands.map((command) => `  ${command}`)];
}

/** Each once, however much it brings. */
function commandsOf(examination: Examination): readonly string[] {
  return [...new Set(missingPrograms(examination).map(({ command }) => command))];
}

function article(name: ProgramName): string {
  return name === "C compiler" ? `a ${name}` : name;
}

function paragraph(lines: readonly string[], index: number): string {
  if (lines.length === 0) return "";
  return `${index === 0 ? "" : "\n"}${lines.join("\n")}\n`;
}

/**
 * `npm run bench`: the coordinator beside the floor that ioredis gives and beside other lock libraries, on five
 * redis-servers of its own. It informs and never fails: a target that is missed is said, and the exit code is 0.
 */
import { writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { openRig, type Rig } from "../rig/rig.ts";
import type { Bench, Part } from "./part.ts";
import { measureContention } from "./parts/contention.ts";
import { measureFaults } from "./parts/faults.ts";
import { measureIdle } from "./parts/idle.ts";
import { measureImport } from "./parts/import-time.ts";
import { measureLoad } from "./parts/load.ts";
import { measureMajority } from "./parts/majority.ts";
import { measureMemory } from "./parts/memory.ts";
import { measureOpenLoop } from "./parts/open-loop.ts";
import { installPeers } from "./peers/install-peers.ts";
import { isMet, type Row, tableOf } from "./row.ts";
import { PEER_NAMES } from "./subject.ts";
import { SubjectProcess } from "./subject-process.ts";

const PARTS: Readonly<Record<string, Part>> = {
  idle: measureIdle,
  load: measureLoad,
  "open-loop": measureOpenLoop,
  contention: measureContention,
  faults: measureFaults,
  majority: measureMajority,
  memory: measureMemory,
  import: measureImport,
};
const SHORT_SCALE = 0.25;
const EXIT_USAGE = 64;
const EXIT_INTERRUPTED = 130;

const { values: given } = parseArgs({
  options: {
    json: { type: "string" },
    parts: { type: "string", default: Object.keys(PARTS).join(",") },
    short: { type: "boolean", default: false },
    "no-peers": { type: "boolean", default: false },
  },
});
const names = given.parts.split(",");
const unknown = names.filter((name) => PARTS[name] === undefined);

if (unknown.length > 0) {
  process.stderr.write(
    `bench: there is no part ${unknown.join(", ")}; choose of ${Object.keys(PARTS).join(", ")}.\n`,
  );
  process.exitCode = EXIT_USAGE;
} else {
  await measure();
}

async function measure(): Promise<void> {
  const peersFolder = given["no-peers"] ? "" : installPeers();
  const rig = await openRig();
  process.once("SIGINT", () => {
    void rig.close().then(() => process.exit(EXIT_INTERRUPTED));
  });
  const rows: Row[] = [];
  try {
    for (const name of names) rows.push(...(await measurePart(name, rig, peersFolder)));
  } finally {
    await rig.close();
  }
  process.stdout.write(`\n${tableOf(rows)}`);
  if (given.json !== undefined) {
    const judged = rows.map((row) => ({ ...row, isMet: isMet(row) }));
    writeFileSync(given.json, `${JSON.stringify({ rows: judged }, undefined, 2)}\n`);
  }
}

async function measurePart(name: string, rig: Rig, peersFolder: string): Promise<readonly Row[]> {
  process.stderr.write(`bench: ${name}\n`);
  const opened: SubjectProcess[] = [];
  const bench: Bench = {
    rig,
    peersFolder,
    peers: peersFolder === "" ? [] : PEER_NAMES,
    scale: given.short ? SHORT_SCALE : 1,
    roundCount: given.short ? 3 : 7,
    open: async (subjectName, { retry = false, urls = rig.nodes.map(({ url }) => url) } = {}) => {
      const subject = await SubjectProcess.start({ name: subjectName, urls, retry, peersFolder });
      opened.push(subject);
      return subject;
    },
  };
  try {
    return (await PARTS[name]?.(bench)) ?? [];
  } finally {
    for (const subject of opened) subject.close();
  }
}

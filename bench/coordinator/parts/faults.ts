import { setTimeout as delay } from "node:timers/promises";
import type { RigNode } from "../../rig/rig.ts";
import type { Bench, Part } from "../part.ts";
import { medianOf } from "../../simulation/measure.ts";
import type { Row } from "../row.ts";
import { unlessFailed } from "../rounds.ts";
import type { SubjectName } from "../subject.ts";
import type { SubjectProcess } from "../subject-process.ts";

const OP_COUNT = 1000;
const SLOW_MS = 200;
/** What is under way when a fault ends arrives, and lost connections are made again. */
const SETTLE_MS = 600;
const P99_MAX = 1.2;

interface NodeFault {
  readonly name: string;
  readonly begin: (node: RigNode, bench: Bench) => unknown;
  readonly end: (node: RigNode, bench: Bench) => unknown;
}

const FAULTS: readonly NodeFault[] = [
  { name: "dead", begin: ({ server }) => server.kill(), end: ({ server }) => server.start() },
  { name: "frozen", begin: ({ server }) => server.stall(), end: ({ server }) => server.resume() },
  {
    name: `${SLOW_MS} ms slow`,
    begin: ({ proxyName }, { rig }) =>
      rig.proxies.addToxic(proxyName, {
        kind: "slow",
        name: "bench",
        direction: "reply",
        latencyMs: SLOW_MS,
        jitterMs: 0,
      }),
    end: ({ proxyName }, { rig }) => rig.proxies.removeToxic(proxyName, "bench"),
  },
];

/** One node is dead, frozen or slow: an acquire should not notice. */
export const measureFaults: Part = async (bench) => {
  const names: readonly SubjectName[] = bench.peers.includes("redlock-5") ? ["ours", "redlock-5"] : ["ours"];
  const rows: Row[] = [];
  for (const fault of FAULTS) {
    const measured = new Map<SubjectName, P99Rounds>();
    for (const name of names) {
      const subject = await bench.open(name, { urls: urlsOf(bench) });
      const rounds = await unlessFailed(subject, () => measureFault(subject, fault, bench));
      if (rounds !== undefined) measured.set(name, rounds);
      subject.close();
    }
    rows.push(...rowsOf(fault, measured));
  }
  return rows;
};

/** For each round. */
interface P99Rounds {
  readonly healthyMs: readonly number[];
  readonly faultyMs: readonly number[];
}

/** The last one behind its proxy, healthy or not; the others are reached directly. */
function urlsOf({ rig: { nodes } }: Bench): readonly string[] {
  return nodes.map((node, index) => (index === nodes.length - 1 ? node.proxyUrl : node.url));
}

/** Healthy and faulty in turn, by one process on the same connections. */
async function measureFault(subject: SubjectProcess, fault: NodeFault, bench: Bench): Promise<P99Rounds> {
  const faulty = bench.rig.nodes.at(-1);
  if (faulty === undefined) throw new Error("a rig has nodes");
  const ask = { opCount: Math.ceil(OP_COUNT * bench.scale) };
  await subject.ask("sequential", ask);
  const healthyMs: number[] = [];
  const faultyMs: number[] = [];
  for (let round = 0; round < bench.roundCount; round++) {
    healthyMs.push((await subject.ask("sequential", ask)).acquireP99Ms);
    await fault.begin(faulty, bench);
    await delay(SLOW_MS);
    try {
      faultyMs.push((await subject.ask("sequential", ask)).acquireP99Ms);
    } finally {
      await fault.end(faulty, bench);
    }
    await delay(SETTLE_MS);
  }
  return { healthyMs, faultyMs };
}

function rowsOf({ name }: NodeFault, measured: ReadonlyMap<SubjectName, P99Rounds>): readonly Row[] {
  const figure = `acquire p99 ms, one node ${name}`;
  const ours = measured.get("ours");
  const theirs = measured.get("redlock-5");
  if (ours === undefined) return [];
  const { healthyMs, faultyMs } = ours;
  const rows: Row[] = [
    {
      figure,
      ours: medianOf(faultyMs),
      baseline: { name: "ours, healthy", value: medianOf(healthyMs) },
      ratio: medianOf(faultyMs.map((value, round) => value / (healthyMs[round] ?? Number.NaN))),
      target: { atMost: P99_MAX },
    },
  ];
  if (theirs !== undefined) {
    const value = medianOf(theirs.faultyMs);
    rows.push({ figure, ours: medianOf(faultyMs), baseline: { name: "redlock-5, faulty", value } });
  }
  return rows;
}

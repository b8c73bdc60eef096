import { setTimeout as delay } from "node:timers/promises";
import type { RigNode } from "../../rig/rig.ts";
import type { Bench, Part } from "../part.ts";
import { medianOf } from "../../simulation/measure.ts";
import type { Row } from "../row.ts";
import type { SubjectName } from "../subject.ts";

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
  const rows: Row[] = [];
  for (const fault of FAULTS) {
    const ours = await measureFault("ours", fault, bench);
    rows.push({ ...ours, target: { atMost: P99_MAX } });
    if (bench.peers.includes("redlock-5")) {
      const theirs = await measureFault("redlock-5", fault, bench);
      rows.push({
        figure: theirs.figure,
        ours: ours.ours,
        baseline: { name: "redlock-5, faulty", value: theirs.ours },
      });
    }
  }
  return rows;
};

/** Healthy and faulty in turn, by one process on the same connections. */
async function measureFault(name: SubjectName, fault: NodeFault, bench: Bench): Promise<Row> {
  const { nodes } = bench.rig;
  // Behind its proxy in both cases; the others are reached directly.
  const faulty = nodes.at(-1);
  if (faulty === undefined) throw new Error("a rig has nodes");
  const urls = nodes.map((node) => (node === faulty ? node.proxyUrl : node.url));
  const subject = await bench.open(name, { urls });
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
  subject.close();
  return {
    figure: `acquire p99 ms, one node ${fault.name}`,
    ours: medianOf(faultyMs),
    baseline: { name: `${name}, healthy`, value: medianOf(healthyMs) },
    ratio: medianOf(faultyMs.map((value, round) => value / (healthyMs[round] ?? Number.NaN))),
  };
}

/** A worker of the soak: one coordinator with many callers, which is asked again and again how it stands. */
import { setTimeout as delay } from "node:timers/promises";
import { RandomStream } from "../../harness/random/random-stream.ts";
import { createNodes, Redlock } from "../../src/index.ts";
import { Defects } from "./defects.ts";
import { Lanes } from "./lanes.ts";
import type { Ended, Order, Rest, WorkerSpec, Word } from "./messages.ts";

const BYTES_PER_MB = 2 ** 20;
/** What was closed a moment ago still stands in the lists of the event loop. */
const CLOSED_MS = 500;
/** Whoever has not settled by then is among the defects, by name. */
const REST_LIMIT_MS = 20_000;
/** So that what is repeated in case a command is still under way comes to its end within a rest. */
const LONGEST_DELAY_MS = 1000;
/** The line to the parent. */
const OWN_RESOURCES = new Set(["PipeWrap", "Pipe", "TTYWrap"]);

const defects = new Defects();
process.on("unhandledRejection", (reason) => defects.note(`unhandled rejection: ${String(reason)}`));
process.on("uncaughtException", (error) =>
  defects.note(`uncaught exception: ${error.stack ?? String(error)}`),
);
process.on("warning", (warning) => defects.note(`warning: ${warning.message}`));
// A terminal's Ctrl-C reaches everybody; the parent says what is to be done about it.
process.on("SIGINT", () => undefined);
process.on("disconnect", () => process.exit());

/** Long enough that no key that is left behind runs out by itself while it is looked for. */
const PLAIN_TTL_MS = 15_000;
/** Short enough that nodes that were started anew vote again within a round. */
const GUARDED_TTL_MS = 1_000;

interface Coordinator {
  readonly redlock: Redlock;
  readonly lanes: Lanes;
}

let coordinators: readonly Coordinator[] = [];

process.on("message", (order: Order) => {
  void obey(order).then((word) => word !== undefined && process.send?.(word));
});

async function obey(order: Order): Promise<Word | undefined> {
  switch (order.kind) {
    case "open":
      open(order.spec);
      return { kind: "opened" };
    case "round":
      for (const { lanes } of coordinators) lanes.start();
      return undefined;
    case "rest":
      return { kind: "rested", rest: await rest() };
    case "end":
      return { kind: "ended", ended: await end() };
  }
}

/** One without the guard, whose keys live long, and one with it, of which no two may ever believe at once. */
function open({ urls, seed, laneCount }: WorkerSpec): void {
  const random = RandomStream.fromSeed(seed);
  const parts = { laneCount: laneCount / 2, defects };
  const plain = new Redlock(createNodes(urls), { longestDelayMs: LONGEST_DELAY_MS, restartGuard: "off" });
  const guarded = new Redlock(createNodes(urls), {
    longestDelayMs: LONGEST_DELAY_MS,
    restartGuard: { longestLifetimeMs: GUARDED_TTL_MS, firstUse: "trust" },
  });
  coordinators = [
    { redlock: plain, name: "plain", ttlMs: PLAIN_TTL_MS, isExclusive: false },
    { redlock: guarded, name: "guarded", ttlMs: GUARDED_TTL_MS, isExclusive: true },
  ].map((one) => ({
    redlock: one.redlock,
    lanes: new Lanes({ ...parts, ...one, random: random.fork(one.name) }),
  }));
}

async function rest(): Promise<Rest> {
  const rested = Promise.all(coordinators.map(({ lanes }) => lanes.rest()));
  await Promise.race([rested, delay(REST_LIMIT_MS, undefined, { ref: false })]);
  collectGarbage();
  return {
    heapMb: process.memoryUsage().heapUsed / BYTES_PER_MB,
    orphanCount: coordinators.reduce((sum, { redlock }) => sum + redlock.orphanCount, 0),
    outcomes: Object.fromEntries(coordinators.flatMap(({ lanes }) => Object.entries(lanes.outcomes))),
    defects: defects.all,
  };
}

async function end(): Promise<Ended> {
  await Promise.all(coordinators.map(({ redlock }) => redlock.close()));
  await delay(CLOSED_MS);
  const resources = process.getActiveResourcesInfo().filter((name) => !OWN_RESOURCES.has(name));
  return { resources, defects: defects.all };
}

function collectGarbage(): void {
  if (globalThis.gc === undefined) throw new Error("the process was started without --expose-gc");
  globalThis.gc();
}

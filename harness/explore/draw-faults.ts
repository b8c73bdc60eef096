/** Faults as fast-check draws them, by kind; what a kind may do follows the envelope and what is lifted of it. */
import fc, { type Arbitrary } from "fast-check";
import type { Fault } from "../faults/fault.ts";
import type { FaultOf } from "../faults/fault-families.ts";
import type { NodeName, WorkerId } from "../history/event.ts";
import type { Persistence } from "../scenario/lab-settings.ts";
import type { Allowance } from "./allowance.ts";

export interface FaultWorld {
  readonly workers: readonly WorkerId[];
  readonly nodes: readonly NodeName[];
  readonly resource: string;
  readonly ttlMs: number;
  readonly persistence: Persistence;
  /** The restart guard is on. */
  readonly isGuarded: boolean;
}

type DrawFault = (world: FaultWorld) => Arbitrary<Fault>;

const ms = (min: number, max: number): Arbitrary<number> => fc.integer({ min, max });
const oneOf = <Item>(items: readonly Item[]): Arbitrary<Item> => fc.constantFrom(...items);
const someOf = <Item>(items: readonly Item[]): Arbitrary<Item[]> => fc.subarray([...items], { minLength: 1 });
const LINK_MAX_MS = 2_500;
const direction = fc.constantFrom("request" as const, "reply" as const);
/** Rates in thousandths, so that they stay round. */
const rate = (min: number, max: number): Arbitrary<number> =>
  ms(min, max).map((thousandths) => thousandths / 1000);

/** Who is cut off: mostly one worker. */
const someWorkers = ({ workers }: FaultWorld): Arbitrary<WorkerId[]> =>
  fc.oneof(
    oneOf(workers).map((worker) => [worker]),
    someOf(workers),
  );

/**
 * Down for so long that what was forgotten has expired, where it forgets and nobody would see it; as short as it likes
 * otherwise.
 */
const safelyDown = (
  { ttlMs, persistence, isGuarded }: FaultWorld,
  safe: readonly Persistence[],
): Arbitrary<number> => (isGuarded || safe.includes(persistence) ? ms(1, 400) : ms(ttlMs, ttlMs + 500));

/** What may happen inside the envelope. */
const WITHIN = {
  "pause-worker": ({ workers }) =>
    fc.record({
      kind: fc.constant("pause-worker" as const),
      worker: oneOf(workers),
      forMs: ms(1, LINK_MAX_MS),
    }),
  "crash-worker": ({ workers }) => oneOf(workers).map((worker) => ({ kind: "crash-worker", worker })),
  "cut-link": (world) =>
    fc.oneof(
      cutLink(world),
      cutLink(world).chain((fault) =>
        direction.map((way): Fault => ({ ...fault, how: "lose", direction: way })),
      ),
    ),
  "slow-link": (world) =>
    fc.record({
      kind: fc.constant("slow-link" as const),
      workers: someWorkers(world),
      nodes: someOf(world.nodes),
      direction,
      latencyMs: ms(1, 1_500),
      forMs: ms(10, LINK_MAX_MS),
    }),
  "lossy-link": (world) =>
    fc.record({
      kind: fc.constant("lossy-link" as const),
      workers: someWorkers(world),
      nodes: someOf(world.nodes),
      direction,
      share: ms(1, 9).map((tenths) => tenths / 10),
      forMs: ms(10, LINK_MAX_MS),
    }),
  "reset-link": (world) =>
    fc.record({
      kind: fc.constant("reset-link" as const),
      workers: someWorkers(world),
      nodes: someOf(world.nodes),
    }),
  "stall-node": ({ nodes }) =>
    fc.record({ kind: fc.constant("stall-node" as const), node: oneOf(nodes), forMs: ms(1, 2_000) }),
  "crash-node": (world) =>
    fc.record({
      kind: fc.constant("crash-node" as const),
      node: oneOf(world.nodes),
      downForMs: safelyDown(world, ["aof-everysec", "aof-always"]),
    }),
  "lose-power": (world) =>
    fc.record({
      kind: fc.constant("lose-power" as const),
      node: oneOf(world.nodes),
      downForMs: safelyDown(world, ["aof-always"]),
    }),
  "flush-scripts": ({ nodes }) => oneOf(nodes).map((node) => ({ kind: "flush-scripts", node })),
  "skew-clock": ({ nodes }) =>
    fc.record({
      kind: fc.constant("skew-clock" as const),
      node: oneOf(nodes),
      rate: rate(900, 1_002),
      forMs: ms(10, LINK_MAX_MS),
    }),
  "skew-worker-clock": ({ workers }) =>
    fc.record({
      kind: fc.constant("skew-worker-clock" as const),
      worker: oneOf(workers),
      rate: rate(990, 1_050),
      forMs: ms(10, LINK_MAX_MS),
    }),
  "jump-clock": ({ nodes }) =>
    fc.record({ kind: fc.constant("jump-clock" as const), node: oneOf(nodes), byMs: ms(-300, -1) }),
  "jump-worker-clock": ({ workers }) =>
    fc.record({
      kind: fc.constant("jump-worker-clock" as const),
      worker: oneOf(workers),
      byMs: ms(-5_000, 5_000),
    }),
} as const satisfies Readonly<Record<string, DrawFault>>;

function cutLink(world: FaultWorld): Arbitrary<FaultOf<"cut-link">> {
  return fc.record({
    kind: fc.constant("cut-link" as const),
    workers: someWorkers(world),
    nodes: someOf(world.nodes),
    how: fc.constantFrom("refuse" as const, "lose" as const),
    forMs: ms(20, LINK_MAX_MS),
  });
}

/** What the restart guard makes harmless. */
const GUARDED = {
  "fail-over": ({ nodes }) => oneOf(nodes).map((node) => ({ kind: "fail-over", node })),
  "exchange-node": ({ nodes }) => oneOf(nodes).map((node) => ({ kind: "exchange-node", node })),
  "flush-node": ({ nodes }) => oneOf(nodes).map((node) => ({ kind: "flush-node", node })),
} as const satisfies Readonly<Record<string, DrawFault>>;

/** What may happen besides, where an assumption is lifted. */
const BEYOND: Readonly<Record<Allowance, DrawFault>> = {
  "clock-jump": ({ nodes }) =>
    fc.record({ kind: fc.constant("jump-clock" as const), node: oneOf(nodes), byMs: ms(100, 5_000) }),
  drift: ({ nodes }) =>
    fc.record({
      kind: fc.constant("skew-clock" as const),
      node: oneOf(nodes),
      rate: rate(1_050, 2_000),
      forMs: ms(200, LINK_MAX_MS),
    }),
  suspend: ({ workers }) =>
    fc.record({
      kind: fc.constant("suspend-worker" as const),
      worker: oneOf(workers),
      forMs: ms(100, 3_000),
    }),
  "restart-empty": ({ nodes }) =>
    fc.record({ kind: fc.constant("crash-node" as const), node: oneOf(nodes), downForMs: ms(1, 150) }),
  "power-loss": ({ nodes }) =>
    fc.record({ kind: fc.constant("lose-power" as const), node: oneOf(nodes), downForMs: ms(1, 150) }),
  "fail-over": GUARDED["fail-over"],
  exchange: GUARDED["exchange-node"],
  eviction: ({ nodes, resource }) => oneOf(nodes).map((node) => ({ kind: "evict-key", node, resource })),
  flush: ({ nodes, resource }) =>
    oneOf(nodes).chain((node) =>
      fc.constantFrom<Fault>({ kind: "flush-node", node }, { kind: "delete-key", node, resource }),
    ),
};

const DRAWN = { ...WITHIN, ...GUARDED };

export type SwarmKind = keyof typeof DRAWN;

/** Kinds of faults that a swarm chooses from. */
export const SWARM_KINDS: readonly SwarmKind[] = Object.keys(WITHIN).filter(isSwarmKind);

/** Those that it chooses from where the restart guard is on. */
export const GUARDED_SWARM_KINDS: readonly SwarmKind[] = Object.keys(DRAWN).filter(isSwarmKind);

function isSwarmKind(name: string): name is SwarmKind {
  return Object.hasOwn(DRAWN, name);
}

/** Any of these kinds; what is lifted comes as often as all of the others together. */
export function drawFault(
  kinds: readonly SwarmKind[],
  allow: readonly Allowance[],
  world: FaultWorld,
): Arbitrary<Fault> {
  const within = kinds.map((kind): Arbitrary<Fault> => DRAWN[kind](world));
  const beyond = allow.map((allowance) => BEYOND[allowance](world));
  if (beyond.length === 0) return fc.oneof(...within);
  return fc.oneof(fc.oneof(...within), fc.oneof(...beyond));
}

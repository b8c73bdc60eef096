import { describe, expect, test } from "vitest";
import type { Fault, PlannedFault } from "../../faults/fault.ts";
import type { Trigger } from "../../faults/trigger.ts";
import type { EventKind, EventOf, HistoryEvent } from "../../history/event.ts";
import { historyDigest } from "../../history/digest.ts";
import { holdsOf } from "../../history/holds.ts";
import type { LabSettings } from "../../scenario/lab-settings.ts";
import { resolvePlan } from "../../scenario/resolve-plan.ts";
import { after, at, planWorker } from "../../scenario/story-parts.ts";
import type { WorkerPlan } from "../../workload/worker-plan.ts";
import { playSimulatedRun } from "./simulated-run.ts";

interface SmallStory {
  readonly settings?: Partial<LabSettings>;
  readonly workers?: readonly (Partial<WorkerPlan> & Pick<WorkerPlan, "id">)[];
  readonly faults?: readonly PlannedFault[];
  readonly seed?: string;
}

const HELD: Trigger = after({ kind: "acquire-granted", worker: "W1" });
const onceHeld = (fault: Fault, id: string = fault.kind): PlannedFault => ({ id, when: HELD, fault });

/** One worker, W1, unless others are given; they start at once. */
function played({ settings: given = {}, workers = [{ id: "W1" }], faults = [], seed = "1" }: SmallStory) {
  const variant = { name: "plain", summary: "p", expect: {} };
  const plan = resolvePlan({
    scenario: {
      ...{ id: "T01", title: "t", summary: "t", settings: given, variants: [variant] },
      story: (settings) => ({
        workers: workers.map(({ id, ...rest }) => planWorker(id, settings, { startWhen: at(0), ...rest })),
        ...{ faults, staging: [], demands: { contention: false, events: [] }, limitMs: 20_000 },
      }),
    },
    ...{ variant, overrides: {}, seed },
  });
  const history = playSimulatedRun(plan);
  const all = <Kind extends EventKind>(kind: Kind): readonly EventOf<Kind>[] =>
    history.events.filter((event): event is HistoryEvent & EventOf<Kind> => event.kind === kind);
  return { history, all };
}

const first = <Value>([value]: readonly Value[]): Value => {
  if (value === undefined) throw new Error("there is none");
  return value;
};

describe("playSimulatedRun: between two effects", () => {
  test("a process is paused right before the effect that was named, and performs it when it goes on", () => {
    const pause: PlannedFault = {
      ...{ id: "pause", fault: { kind: "pause-worker", worker: "W1", forMs: 400 } },
      when: { kind: "before-effect", worker: "W1", effect: "send", nth: 3 },
    };
    const { all } = played({ faults: [pause], settings: { nodeTimeoutMs: 500 } });
    const setAtMs = all("key-set").map(({ atMs }) => atMs);

    // Two commands had left; the other three leave when it goes on.
    expect(setAtMs.filter((atMs) => atMs < 10)).toHaveLength(2);
    expect(setAtMs.filter((atMs) => atMs > 400)).toHaveLength(3);
    expect(all("worker-paused")).toMatchObject([{ atMs: 0 }]);
  });

  test("a process that is killed there never performs it", () => {
    const crash: PlannedFault = {
      ...{ id: "crash", fault: { kind: "crash-worker", worker: "W1" } },
      when: { kind: "before-effect", worker: "W1", effect: "send" },
    };

    expect(played({ faults: [crash] }).all("key-set")).toEqual([]);
  });
});

describe("playSimulatedRun: the clocks of workers", () => {
  test("S04: a suspended machine still believes when it goes on, and its declared time shows it", () => {
    const { history, all } = played({
      workers: [{ id: "W1", workMs: 100 }],
      faults: [onceHeld({ kind: "suspend-worker", worker: "W1", forMs: 5000 })],
    });
    const { deadlineMs } = first(all("acquire-granted"));

    expect(all("worker-suspended")).toHaveLength(1);
    expect(first(all("deadline-moved")).deadlineMs).toBe(deadlineMs + 5000);
    expect(first(holdsOf(history)).believedUntil.atMs).toBeGreaterThan(5000);
    // The nodes' clocks have gone on: the keys are gone.
    expect(first(all("release-returned")).outcome).toBe("expired");
  });

  test("a slow clock makes the work longer and the deadline later", () => {
    const { all } = played({
      workers: [{ id: "W1", workMs: 200 }],
      faults: [onceHeld({ kind: "skew-worker-clock", worker: "W1", rate: 0.5 })],
    });
    const [{ deadlineMs }, entered] = [first(all("acquire-granted")), first(all("section-entered"))];

    expect(first(all("deadline-moved")).deadlineMs).toBeGreaterThan(deadlineMs + 900);
    expect(first(all("section-left")).atMs - entered.atMs).toBeGreaterThan(395);
  });

  test("a step of a worker's wall clock changes nothing for the coordinator", () => {
    const quiet = played({});
    const stepped = played({
      faults: [{ id: "jump", when: at(1), fault: { kind: "jump-worker-clock", worker: "W1", byMs: 9000 } }],
    });
    const grant = ({ all }: typeof quiet): EventOf<"acquire-granted"> => first(all("acquire-granted"));

    expect(grant(stepped).deadlineMs).toBe(grant(quiet).deadlineMs);
    expect(stepped.all("deadline-moved")).toEqual([]);
  });
});

describe("playSimulatedRun: the protected resource", () => {
  test("what a worker writes is held up, and judged when it arrives", () => {
    const { all } = played({
      faults: [onceHeld({ kind: "slow-resource", worker: "W1", latencyMs: 700, forMs: 100 })],
    });
    const tookMs = first(all("write-judged")).atMs - first(all("write-invoked")).atMs;

    expect(tookMs).toBeGreaterThan(700);
    expect(tookMs).toBeLessThan(710);
  });

  test("a read tells what was written last, and the write says so", () => {
    const reads = { readsFirst: true } as const;
    const { all } = played({
      workers: [
        { id: "W1", ...reads },
        { id: "W2", ...reads, startWhen: after({ kind: "worker-finished", worker: "W1" }) },
      ],
    });

    expect(all("read-judged").map(({ saw }) => saw)).toEqual([null, "W1/1.1"]);
    expect(all("write-judged").map(({ basedOn }) => basedOn)).toEqual([null, "W1/1.1"]);
  });

  test("whoever asks a replica writes on what that has heard last", () => {
    const { all } = played({
      settings: { replicaCount: 1 },
      workers: [{ id: "W1", checksReplica: true, workMs: 300 }],
      faults: [
        { id: "hold", when: at(200), fault: { kind: "hold-replication", node: "A", replica: 1 } },
        { id: "empty", when: at(210), fault: { kind: "flush-node", node: "A" } },
      ],
    });

    expect(all("key-deleted")[0]).toMatchObject({ node: "A", cause: "flushed" });
    expect(all("write-judged")).toHaveLength(1);
  });
});

describe("playSimulatedRun: settings of workers", () => {
  test("a worker with a membership of its own asks its own nodes, and a majority of them wins", () => {
    const { all } = played({ workers: [{ id: "W1", membership: ["C", "D", "E"] }] });

    expect(new Set(all("key-set").map(({ node }) => node))).toEqual(new Set(["C", "D", "E"]));
    expect(first(all("acquire-granted")).votes.map(({ node }) => node)).toEqual(["C", "D", "E"]);
  });

  test("without jitter attempts follow each other as evenly as the network lets them", () => {
    const spreadMsWith = (retryJitter: number): number => {
      const grantedMs = Array.from({ length: 12 }, (_, seed) => {
        const { all } = played({
          ...{ settings: { retryJitter }, seed: String(seed) },
          workers: [
            { id: "W1", workMs: 200 },
            { id: "W2", waitMs: 900, startWhen: at(20) },
          ],
        });
        return all("acquire-granted").find(({ worker }) => worker === "W2")?.atMs ?? Number.NaN;
      });
      return Math.max(...grantedMs) - Math.min(...grantedMs);
    };

    expect(spreadMsWith(0)).toBeLessThan(20);
    expect(spreadMsWith(1)).toBeGreaterThan(40);
  });

  test("a renewed lock outlives its lifetime, and no longer than it may", () => {
    const { all } = played({ workers: [{ id: "W1", workMs: 4000, renews: true, maxHoldMs: 2000 }] });
    const extensions = all("extend-granted");

    expect(extensions.length).toBeGreaterThan(3);
    expect(Math.max(...extensions.map(({ deadlineMs }) => deadlineMs))).toBeLessThan(3100);
    expect(first(all("belief-ended"))).toMatchObject({ reason: "expired" });
  });
});

describe("playSimulatedRun: every fault", () => {
  const FAULTS: readonly Fault[] = [
    { kind: "pause-worker", worker: "W1", forMs: 100 },
    { kind: "suspend-worker", worker: "W1", forMs: 100 },
    { kind: "crash-worker", worker: "W1" },
    { kind: "skew-worker-clock", worker: "W1", rate: 0.9, forMs: 100 },
    { kind: "cut-link", workers: ["W1"], nodes: ["A"], how: "lose", forMs: 100 },
    {
      kind: "slow-link",
      workers: ["W1"],
      nodes: ["A", "B", "C", "D", "E"],
      direction: "reply",
      latencyMs: 10,
      forMs: 100,
    },
    { kind: "lossy-link", workers: ["W1"], nodes: ["A", "B"], direction: "request", share: 1, forMs: 100 },
    { kind: "reset-link", workers: ["W1"], nodes: ["A"] },
    { kind: "slow-resource", worker: "W1", latencyMs: 10, forMs: 100 },
    { kind: "crash-node", node: "A", downForMs: 100 },
    { kind: "lose-power", node: "A", downForMs: 100 },
    { kind: "stall-node", node: "A", forMs: 100 },
    { kind: "jump-clock", node: "A", byMs: 2000 },
    { kind: "skew-clock", node: "A", rate: 1.5, forMs: 100 },
    { kind: "flush-node", node: "A" },
    { kind: "evict-key", node: "A", resource: "orders" },
    { kind: "delete-key", node: "A", resource: "orders" },
    { kind: "exchange-node", node: "A" },
    { kind: "fail-over", node: "A" },
  ];

  test.each(FAULTS.map((fault) => [fault.kind, fault] as const))(
    "%s leaves its trace, heals where it lasts, and comes out the same twice",
    (kind, fault) => {
      const story: SmallStory = {
        settings: { replicaCount: 1 },
        workers: [{ id: "W1", workMs: 50, extendMs: 1000, lingerMs: 200 }],
        faults: [onceHeld(fault)],
      };
      const { history, all } = played(story);
      const lasts = "forMs" in fault || "downForMs" in fault || kind === "reset-link";
      // What the fault's own events would show is left out: the run has to be another one.
      const traces = (events: readonly HistoryEvent[]): readonly string[] =>
        events
          .filter((event) => !event.kind.startsWith("fault-"))
          .map((event) => `${event.kind} ${event.atMs}`);

      expect(all("fault-applied")).toMatchObject([{ fault: kind }]);
      expect(all("fault-healed")).toHaveLength(lasts ? 1 : 0);
      expect(traces(history.events)).not.toEqual(traces(played({ ...story, faults: [] }).history.events));
      expect(historyDigest(played(story).history)).toBe(historyDigest(history));
    },
  );

  test("a counter that was rewound hands a token out again", () => {
    const { all } = played({
      settings: { fencing: true, tokenSource: "replicated-counter" },
      workers: [{ id: "W1" }, { id: "W2", startWhen: after({ kind: "worker-finished", worker: "W1" }) }],
      faults: [onceHeld({ kind: "rewind-counter", lostCount: 1 })],
    });

    expect(all("acquire-granted").map(({ fencingToken }) => fencingToken)).toEqual(["1", "1"]);
  });
});

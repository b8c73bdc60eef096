import { fc, test as property } from "@fast-check/vitest";
import { describe, expect, test } from "vitest";
import type { EventBody, HistoryEvent } from "../history/event.ts";
import { WORKER_DEFAULTS, type WorkerPlan } from "../workload/worker-plan.ts";
import { type Action, type DirectedPlan, Director, LATE_EVENT_GRACE_MS } from "./director.ts";
import type { EventPattern } from "./event-pattern.ts";
import { matchesPattern } from "./event-pattern.ts";
import type { Fault, PlannedFault } from "./fault.ts";
import type { Trigger } from "./trigger.ts";

const at = (atMs: number): Trigger => ({ kind: "at", atMs });
const after = (event: EventPattern, rest: { nth?: number; delayMs?: number } = {}): Trigger => ({
  kind: "after",
  event,
  ...rest,
});
const worker = (id: string, startWhen: Trigger): WorkerPlan => ({
  ...WORKER_DEFAULTS,
  id,
  startWhen,
  ttlMs: 1000,
});
const pause = (id: string, when: Trigger): PlannedFault => ({
  id,
  when,
  fault: { kind: "pause-worker", worker: "W1", forMs: 500 },
});
const jump = (id: string, when: Trigger): PlannedFault => ({
  id,
  when,
  fault: { kind: "jump-clock", node: "C", byMs: 2000 },
});

/** Tells a director events one after the other, counting `seq` for it. */
function teller(director: Director) {
  let seq = 0;
  return (atMs: number, body: EventBody): HistoryEvent => {
    const event: HistoryEvent = { ...body, seq, atMs };
    seq += 1;
    director.observe(event);
    return event;
  };
}

const started = (id: string): EventBody => ({ kind: "worker-started", worker: id });
const finished = (id: string): EventBody => ({ kind: "worker-finished", worker: id });
const killed = (id: string): EventBody => ({ kind: "worker-killed", worker: id });
const applied = (fault: string): EventBody => ({ kind: "fault-applied", fault, nodes: [], workers: [] });
const healed = (fault: string): EventBody => ({ kind: "fault-healed", fault, nodes: [], workers: [] });

function label(action: Action): string {
  return action.kind === "start-worker" ? `start ${action.worker.id}` : `${action.kind} ${action.fault.id}`;
}
const labels = (actions: readonly Action[]): readonly string[] => actions.map(label);

describe("Director", () => {
  test("what is due at one time comes in plan order, faults first", () => {
    const director = new Director({
      workers: [worker("W1", at(0)), worker("W2", at(0))],
      faults: [pause("late", at(10)), jump("first", at(0)), jump("second", at(0))],
    });

    expect(labels(director.due(0))).toEqual([
      "apply-fault first",
      "apply-fault second",
      "start W1",
      "start W2",
    ]);
    expect(director.nextDueMs()).toBe(10);
    expect(labels(director.due(10))).toEqual(["apply-fault late"]);
  });

  test("hands out nothing twice and nothing early", () => {
    const director = new Director({ workers: [worker("W1", at(5))], faults: [] });

    expect(director.due(4.9)).toEqual([]);
    expect(labels(director.due(5))).toEqual(["start W1"]);
    expect(director.due(1000)).toEqual([]);
  });

  test("counts the events it waits for and adds the delay", () => {
    const granted = after({ kind: "worker-started", worker: "W1" }, { nth: 2, delayMs: 30 });
    const director = new Director({ workers: [], faults: [jump("jump", granted)] });
    const tell = teller(director);

    tell(1, started("W1"));
    tell(2, started("W2"));
    expect(director.due(100)).toEqual([]);
    tell(110, started("W1"));

    expect(director.nextDueMs()).toBe(140);
    expect(director.due(139)).toEqual([]);
    expect(labels(director.due(140))).toEqual(["apply-fault jump"]);
  });

  test("heals a fault its duration after it took hold", () => {
    const director = new Director({ workers: [], faults: [pause("pause", at(0))] });
    const tell = teller(director);
    director.due(0);

    expect(director.nextDueMs()).toBeUndefined();
    tell(7, applied("pause"));
    expect(director.nextDueMs()).toBe(507);
    expect(labels(director.due(507))).toEqual(["heal-fault pause"]);
  });

  test("a fault that is reported twice heals once", () => {
    const director = new Director({ workers: [], faults: [pause("pause", at(0))] });
    const tell = teller(director);
    director.due(0);
    tell(7, applied("pause"));
    tell(8, applied("pause"));

    expect(labels(director.due(1000))).toEqual(["heal-fault pause"]);
  });

  test("a reset is over as soon as it has happened", () => {
    const fault: Fault = { kind: "reset-link", workers: ["W1"], nodes: ["A"] };
    const director = new Director({ workers: [], faults: [{ id: "reset", when: at(0), fault }] });
    const tell = teller(director);
    director.due(0);
    tell(7, applied("reset"));

    expect(labels(director.due(7))).toEqual(["heal-fault reset"]);
  });

  test("what does not heal by itself is left alone", () => {
    const director = new Director({ workers: [], faults: [jump("jump", at(0))] });
    const tell = teller(director);
    director.due(0);
    tell(1, applied("jump"));
    tell(2, applied("of somebody else"));

    expect(director.nextDueMs()).toBeUndefined();
  });

  test("the story is over when every worker is done or dead, whatever waits", () => {
    const director = new Director({
      workers: [worker("W1", at(0)), worker("W2", at(0))],
      faults: [jump("jump", at(900))],
    });
    const tell = teller(director);
    director.due(0);
    tell(1, finished("W1"));
    expect(director.isStoryOver(1)).toBe(false);
    tell(2, killed("W2"));

    expect(director.isStoryOver(2)).toBe(true);
    expect(director.leftOver()).toEqual(["Fault jump was never applied: it waited for 900 ms."]);
  });

  test("a worker that was killed before its time does not start", () => {
    const director = new Director({
      workers: [worker("W1", at(10)), worker("W2", after(started("W1")))],
      faults: [],
    });
    const tell = teller(director);
    tell(1, killed("W1"));
    tell(1, killed("W2"));
    tell(2, started("W1"));

    expect(director.due(100)).toEqual([]);
    expect(director.isStoryOver(2)).toBe(true);
  });

  test("waits for a worker that is still to start", () => {
    const director = new Director({
      workers: [worker("W1", at(0)), worker("W2", at(2000))],
      faults: [],
    });
    const tell = teller(director);
    director.due(0);
    tell(1, started("W1"));
    tell(2, finished("W1"));

    expect(director.isStoryOver(1000)).toBe(false);
  });

  test("gives up on what nothing can bring about any more, and says so", () => {
    const director = new Director({
      workers: [worker("W1", at(0)), worker("W2", after({ kind: "node-up", node: "C" }, { nth: 2 }))],
      faults: [jump("jump", after({ kind: "fault-healed", fault: "pause" }))],
    });
    const tell = teller(director);
    director.due(0);
    tell(1, started("W1"));
    expect(director.nextDueMs()).toBeUndefined();
    tell(50, finished("W1"));

    expect(director.isStoryOver(50)).toBe(false);
    expect(director.nextDueMs()).toBe(50 + LATE_EVENT_GRACE_MS);
    expect(director.isStoryOver(50 + LATE_EVENT_GRACE_MS)).toBe(true);
    expect(director.leftOver()).toEqual([
      "Fault jump was never applied: it waited for fault-healed of pause.",
      "Worker W2 never started: it waited for node-up of C number 2.",
    ]);
  });

  test("does not give up while a fault is being applied or healed", () => {
    const director = new Director({
      workers: [worker("W1", after(healed("pause")))],
      faults: [pause("pause", at(0))],
    });
    const tell = teller(director);
    director.due(0);
    expect(director.isStoryOver(5000)).toBe(false);
    tell(1, applied("pause"));
    expect(director.isStoryOver(5000)).toBe(false);
    director.due(501);
    expect(director.isStoryOver(5000)).toBe(false);
    tell(5001, healed("pause"));

    expect(labels(director.due(5001))).toEqual(["start W1"]);
  });
});

const WORKERS = ["W1", "W2", "W3"] as const;
const FAULTS = ["f1", "f2", "f3"] as const;

const pattern: fc.Arbitrary<EventPattern> = fc.oneof(
  fc.record({
    kind: fc.constantFrom("worker-started" as const, "worker-finished" as const, "worker-killed" as const),
    worker: fc.constantFrom(...WORKERS),
  }),
  fc.record({
    kind: fc.constantFrom("fault-applied" as const, "fault-healed" as const),
    fault: fc.constantFrom(...FAULTS),
  }),
);
const trigger: fc.Arbitrary<Trigger> = fc.oneof(
  fc.integer({ min: 0, max: 50 }).map(at),
  fc
    .record({ event: pattern, nth: fc.integer({ min: 1, max: 3 }), delayMs: fc.integer({ min: 0, max: 20 }) })
    .map(({ event, ...rest }) => after(event, rest)),
);
const someFault: fc.Arbitrary<Fault> = fc.constantFrom<Fault>(
  { kind: "jump-clock", node: "C", byMs: 2000 },
  { kind: "pause-worker", worker: "W1", forMs: 15 },
  { kind: "stall-node", node: "A", forMs: 0 },
);
const plan: fc.Arbitrary<DirectedPlan> = fc.record({
  workers: fc
    .tuple(...WORKERS.map(() => trigger))
    .map((triggers) => WORKERS.map((id, index) => worker(id, triggers[index] ?? at(0)))),
  faults: fc
    .tuple(...FAULTS.map(() => fc.tuple(trigger, someFault)))
    .map((drawn) =>
      FAULTS.map((id, index) => ({ id, when: drawn[index]?.[0] ?? at(0), fault: drawn[index]?.[1] ?? SOME })),
    ),
});
const SOME: Fault = { kind: "jump-clock", node: "C", byMs: 1 };
const body: fc.Arbitrary<EventBody> = fc.oneof(
  fc.constantFrom(...WORKERS).chain((id) => fc.constantFrom(started(id), finished(id), killed(id))),
  fc.constantFrom(...FAULTS).chain((id) => fc.constantFrom(applied(id), healed(id))),
);
const course = fc.array(fc.tuple(fc.integer({ min: 0, max: 10 }), body), { maxLength: 40 });

interface Played {
  readonly atMs: number;
  readonly action: Action;
  readonly seen: readonly HistoryEvent[];
}

/** Tells the events with their gaps and asks after each. */
function direct(
  directed: DirectedPlan,
  events: readonly (readonly [number, EventBody])[],
): readonly Played[] {
  const director = new Director(directed);
  const tell = teller(director);
  const seen: HistoryEvent[] = [];
  const played: Played[] = [];
  let nowMs = 0;
  const ask = () => {
    for (const action of director.due(nowMs)) played.push({ atMs: nowMs, action, seen: [...seen] });
  };
  ask();
  for (const [gapMs, event] of events) {
    nowMs += gapMs;
    ask();
    seen.push(tell(nowMs, event));
    ask();
  }
  return played;
}

function isReady(when: Trigger, nowMs: number, seen: readonly HistoryEvent[]): boolean {
  if (when.kind === "at") return when.atMs <= nowMs;
  if (when.kind === "before-effect") return false;
  const match = seen.filter((event) => matchesPattern(event, when.event))[(when.nth ?? 1) - 1];
  return match !== undefined && match.atMs + (when.delayMs ?? 0) <= nowMs;
}

describe("Director, told of what it did not order", () => {
  test("a fault that is said to be applied before it was handed out is healed once, after it was", () => {
    const director = new Director({
      workers: [worker("W1", at(0))],
      faults: [{ id: "f1", when: at(10), fault: { kind: "stall-node", node: "A", forMs: 5 } }],
    });
    const tell = teller(director);
    const kinds = (nowMs: number) => director.due(nowMs).map(({ kind }) => kind);
    kinds(0);
    tell(1, applied("f1"));
    expect(kinds(9)).toEqual([]);
    expect(kinds(10)).toEqual(["apply-fault"]);
    tell(10, applied("f1"));
    expect([kinds(15), kinds(100)]).toEqual([["heal-fault"], []]);
  });
});

describe("Director, whatever happens in whatever order", () => {
  property.prop([plan, course])("does each thing at most once", (directed, events) => {
    const done = labels(direct(directed, events).map(({ action }) => action));

    expect(new Set(done).size).toBe(done.length);
  });

  property.prop([plan, course])("does nothing before its trigger", (directed, events) => {
    for (const { atMs, action, seen } of direct(directed, events)) {
      if (action.kind === "start-worker") expect(isReady(action.worker.startWhen, atMs, seen)).toBe(true);
      if (action.kind === "apply-fault") expect(isReady(action.fault.when, atMs, seen)).toBe(true);
      if (action.kind === "heal-fault") {
        expect(seen.some((event) => event.kind === "fault-applied" && event.fault === action.fault.id)).toBe(
          true,
        );
      }
    }
  });

  property.prop([plan, course])("does the same each time", (directed, events) => {
    expect(direct(directed, events)).toEqual(direct(directed, events));
  });

  property.prop([plan, course])(
    "leaves nothing undone whose trigger has come, unless its worker is dead",
    (directed, events) => {
      const played = direct(directed, [...events, [100, healed("none")]]);
      const done = labels(played.map(({ action }) => action));
      const dead = new Set(
        events.flatMap(([, event]) => (event.kind === "worker-killed" ? [event.worker] : [])),
      );
      const director = new Director(directed);
      const tell = teller(director);
      let nowMs = 0;
      const seen = events.map(([gapMs, event]) => {
        nowMs += gapMs;
        return tell(nowMs, event);
      });

      for (const { id, startWhen } of directed.workers) {
        if (!dead.has(id) && isReady(startWhen, nowMs, seen)) expect(done).toContain(`start ${id}`);
      }
      for (const { id, when } of directed.faults) {
        if (isReady(when, nowMs, seen)) expect(done).toContain(`apply-fault ${id}`);
      }
    },
  );
});

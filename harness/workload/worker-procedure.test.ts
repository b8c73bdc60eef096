import { fc, test as property } from "@fast-check/vitest";
import { describe, expect, test } from "vitest";
import type { EventKind, WorkerEvent } from "../history/event.ts";
import type { WorkerEffect, WorkerResumption } from "./worker-effect.ts";
import { WORKER_DEFAULTS, type WorkerPlan } from "./worker-plan.ts";
import { worker } from "./worker-procedure.ts";

const PLAN: WorkerPlan = {
  ...WORKER_DEFAULTS,
  id: "W1",
  startWhen: { kind: "at", atMs: 0 },
  ttlMs: 1000,
};
const GRANTED: WorkerResumption = {
  kind: "granted",
  value: "v1",
  deadlineMs: 988,
  remainingMs: 985,
  votes: [{ node: "A", kind: "granted", roundTripMs: 1 }],
};
const FAILED: WorkerResumption = { kind: "failed", code: "contended", votes: [] };
const STEPS_MAX = 1000;

/** Answers of the driver, by effect; an acquire takes them in turn. */
interface Script {
  readonly acquires: readonly WorkerResumption[];
  readonly extend?: WorkerResumption;
  readonly remainingMs?: number;
  readonly accepted?: boolean;
}

function answerTo(effect: WorkerEffect, script: Script, acquireIndex: number): WorkerResumption {
  switch (effect.kind) {
    case "note":
    case "sleep":
    case "stamp":
    case "renew":
      return { kind: "done" };
    case "acquire":
      return script.acquires[acquireIndex] ?? FAILED;
    case "extend":
      return script.extend ?? { kind: "extended", deadlineMs: 2000, votes: [] };
    case "read":
      return { kind: "was-read", accepted: script.accepted ?? true, saw: "W2/1.1" };
    case "ask-replica":
      return { kind: "replica-answered", isHeld: script.accepted ?? true };
    case "remaining":
      return { kind: "remaining", remainingMs: script.remainingMs ?? 500 };
    case "write":
      return { kind: "written", accepted: script.accepted ?? true };
    case "release":
      return { kind: "released", outcome: "released", votes: [] };
  }
}

function play(plan: WorkerPlan, script: Script, fencing = false) {
  const effects: WorkerEffect[] = [];
  const procedure = worker(plan, { fencing });
  let acquireCount = 0;
  let step = procedure.next({ kind: "done" });
  while (!step.done && effects.length < STEPS_MAX) {
    effects.push(step.value);
    const answer = answerTo(step.value, script, acquireCount);
    if (step.value.kind === "acquire") acquireCount += 1;
    step = procedure.next(answer);
  }
  const events = effects.flatMap((effect) => (effect.kind === "note" ? [effect.event] : []));
  return { effects, events, finished: step.done === true };
}

const kinds = (events: readonly WorkerEvent[]): readonly EventKind[] => events.map((event) => event.kind);
/** What the driver was asked for, with the event kind in place of a note. */
const trace = (effects: readonly WorkerEffect[]) =>
  effects.map((effect) => (effect.kind === "note" ? effect.event.kind : `<${effect.kind}>`));

describe("worker", () => {
  test("notes each call right before and right after it is made", () => {
    const { effects } = play(PLAN, { acquires: [GRANTED] });

    expect(trace(effects)).toEqual([
      "worker-started",
      "acquire-invoked",
      "<acquire>",
      "acquire-granted",
      "section-entered",
      "<sleep>",
      "write-invoked",
      "<write>",
      "write-returned",
      "section-left",
      "release-invoked",
      "<release>",
      "release-returned",
      "worker-finished",
    ]);
  });

  test("counts holds, calls and writes", () => {
    const { events } = play(
      { ...PLAN, acquireCount: 3, grantsMax: 0 },
      { acquires: [GRANTED, FAILED, GRANTED] },
    );

    expect(events.flatMap((event) => ("call" in event ? [`${event.kind} ${event.call}`] : []))).toEqual([
      "acquire-invoked W1#1",
      "acquire-granted W1#1",
      "release-invoked W1#2",
      "release-returned W1#2",
      "acquire-invoked W1#3",
      "acquire-failed W1#3",
      "acquire-invoked W1#4",
      "acquire-granted W1#4",
      "release-invoked W1#5",
      "release-returned W1#5",
    ]);
    expect(events.flatMap((event) => (event.kind === "write-invoked" ? [event.write] : []))).toEqual([
      "W1/1.1",
      "W1/2.1",
    ]);
  });

  test("tells all that a grant said", () => {
    const { events } = play(PLAN, { acquires: [{ ...GRANTED, fencingToken: "34" }] }, true);

    expect(events.find((event) => event.kind === "acquire-granted")).toEqual({
      kind: "acquire-granted",
      worker: "W1",
      call: "W1#1",
      hold: "W1/1",
      resource: "orders",
      value: "v1",
      deadlineMs: 988,
      remainingMs: 985,
      fencingToken: "34",
      votes: [{ node: "A", kind: "granted", roundTripMs: 1 }],
    });
  });

  test("shows its fencing token to the resource", () => {
    const { effects } = play(PLAN, { acquires: [{ ...GRANTED, fencingToken: "34" }] }, true);

    expect(effects).toContainEqual(expect.objectContaining({ kind: "acquire", fencing: true, hold: "W1/1" }));
    expect(effects).toContainEqual({
      kind: "write",
      resource: "orders",
      hold: "W1/1",
      write: "W1/1.1",
      fencingToken: "34",
    });
  });

  test("says so when the resource refused", () => {
    const { events } = play(PLAN, { acquires: [GRANTED], accepted: false });

    expect(events).toContainEqual({
      kind: "write-returned",
      worker: "W1",
      hold: "W1/1",
      write: "W1/1.1",
      accepted: false,
    });
  });

  test("a worker that looks does not write past its deadline", () => {
    const { effects } = play({ ...PLAN, checkBeforeWrite: true }, { acquires: [GRANTED], remainingMs: 0 });

    expect(trace(effects).slice(5, 9)).toEqual(["<sleep>", "<remaining>", "write-skipped", "section-left"]);
  });

  test("a worker that looks writes while time remains", () => {
    const { effects } = play({ ...PLAN, checkBeforeWrite: true }, { acquires: [GRANTED], remainingMs: 1 });

    expect(trace(effects).slice(6, 9)).toEqual(["<remaining>", "write-invoked", "<write>"]);
  });

  test("extends after the work and before the write", () => {
    const { effects } = play({ ...PLAN, extendMs: 1000 }, { acquires: [GRANTED] });

    expect(trace(effects).slice(5, 10)).toEqual([
      "<sleep>",
      "extend-invoked",
      "<extend>",
      "extend-granted",
      "write-invoked",
    ]);
  });

  test("goes on when the extension failed", () => {
    const { events } = play({ ...PLAN, extendMs: 1000 }, { acquires: [GRANTED], extend: FAILED });

    expect(kinds(events)).toContain("extend-failed");
    expect(kinds(events)).toContain("write-returned");
  });

  test("reads on entering, and its write says what it was based on", () => {
    const { effects } = play(
      { ...PLAN, readsFirst: true },
      { acquires: [{ ...GRANTED, fencingToken: "34" }] },
    );

    expect(trace(effects).slice(4, 8)).toEqual(["section-entered", "<read>", "<sleep>", "write-invoked"]);
    expect(effects).toContainEqual({ kind: "read", resource: "orders", hold: "W1/1", fencingToken: "34" });
    expect(effects).toContainEqual(expect.objectContaining({ kind: "write", basedOn: "W2/1.1" }));
  });

  test("does not write where its read was refused", () => {
    const { effects } = play({ ...PLAN, readsFirst: true }, { acquires: [GRANTED], accepted: false });

    expect(trace(effects).slice(5, 9)).toEqual(["<read>", "<sleep>", "write-skipped", "section-left"]);
  });

  test("stamps on entering, and writes only where its stamp is still there", () => {
    const { effects } = play({ ...PLAN, stampsFirst: true }, { acquires: [GRANTED] });

    expect(trace(effects).slice(4, 7)).toEqual(["section-entered", "<stamp>", "<sleep>"]);
    expect(effects).toContainEqual(expect.objectContaining({ kind: "write", ifStamped: true }));
  });

  test.each([
    [true, "write-invoked"],
    [false, "write-skipped"],
  ])("asks a replica instead of its deadline: the answer %s decides", (isHeld, expected) => {
    const { effects } = play(
      { ...PLAN, checksReplica: true, checkBeforeWrite: true },
      { acquires: [GRANTED], accepted: isHeld, remainingMs: 0 },
    );

    expect(trace(effects).slice(6, 8)).toEqual(["<ask-replica>", expected]);
  });

  test("renews from entering on, for as long as it may", () => {
    const { effects } = play({ ...PLAN, renews: true, maxHoldMs: 5000 }, { acquires: [GRANTED] });

    expect(trace(effects).slice(4, 6)).toEqual(["section-entered", "<renew>"]);
    expect(effects).toContainEqual({ kind: "renew", ttlMs: 1000, maxHoldMs: 5000, hold: "W1/1" });
  });

  test("stops at its number of grants and rests between two cycles only", () => {
    const { effects, events } = play(
      { ...PLAN, acquireCount: 5, grantsMax: 2, workMs: 0, idleMs: 20 },
      { acquires: [FAILED, GRANTED, GRANTED, GRANTED] },
    );

    expect(kinds(events).filter((kind) => kind === "acquire-granted")).toHaveLength(2);
    expect(effects.filter((effect) => effect.kind === "sleep")).toEqual([
      { kind: "sleep", forMs: 20 },
      { kind: "sleep", forMs: 20 },
    ]);
  });

  test("a driver that answers something else has a bug", () => {
    const procedure = worker(PLAN, { fencing: false });
    procedure.next({ kind: "done" });
    procedure.next({ kind: "done" });
    procedure.next({ kind: "done" });

    expect(() => procedure.next({ kind: "done" })).toThrow('A driver answered "acquire" with "done".');
  });

  property.prop([
    fc.record({
      acquireCount: fc.integer({ min: 1, max: 8 }),
      grantsMax: fc.integer({ min: 0, max: 4 }),
      checkBeforeWrite: fc.boolean(),
      extendMs: fc.constantFrom(0, 500),
    }),
    fc.array(fc.constantFrom(GRANTED, FAILED), { maxLength: 8 }),
  ])(
    "every call that was invoked returns, every section entered is left, and it always ends",
    (drawn, acquires) => {
      const { events, finished } = play({ ...PLAN, ...drawn }, { acquires });
      const count = (...wanted: EventKind[]) => events.filter((event) => wanted.includes(event.kind)).length;

      expect(finished).toBe(true);
      expect(count("acquire-invoked")).toBe(count("acquire-granted", "acquire-failed"));
      expect(count("acquire-invoked")).toBeLessThanOrEqual(drawn.acquireCount);
      expect(count("section-entered")).toBe(count("section-left"));
      expect(count("section-left")).toBe(count("release-returned"));
      if (drawn.grantsMax > 0) expect(count("acquire-granted")).toBeLessThanOrEqual(drawn.grantsMax);
    },
  );
});

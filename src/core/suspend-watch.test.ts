import { fc, test as property } from "@fast-check/vitest";
import { describe, expect, test } from "vitest";
import { SuspendWatch } from "./suspend-watch.ts";

/** A machine whose clocks can be moved. */
class Machine {
  atMs = 0;
  monotonicMs = 500;
  wallMs = 1_700_000_000_000;
  /** The process stands still so long between two readings. */
  readingMs = 0;
  bootReadings = 0;
  readonly watch: SuspendWatch;

  constructor() {
    this.watch = new SuspendWatch({
      monotonicMs: () => this.monotonicMs,
      wallMs: () => Math.floor(this.wallMs),
      bootMs: () => {
        this.bootReadings += 1;
        const bootMs = Math.floor(this.atMs / 10) * 10;
        this.run(this.readingMs);
        return bootMs;
      },
    });
  }

  run(forMs: number): void {
    this.atMs += forMs;
    this.monotonicMs += forMs;
    this.wallMs += forMs;
  }

  suspend(forMs: number): void {
    this.atMs += forMs;
    this.wallMs += forMs;
  }

  suspendedMs(): number {
    return this.watch.suspendedMs(this.monotonicMs);
  }
}

describe("SuspendWatch", () => {
  test("a machine that runs has not stood still, and its boot-time clock is not looked at", () => {
    const machine = new Machine();
    machine.run(1e6);
    expect(machine.suspendedMs()).toBe(0);
    expect(machine.bootReadings).toBe(1);
  });

  test("a suspension is noticed, and never told too short", () => {
    const machine = new Machine();
    machine.run(10);
    machine.suspend(5000);
    expect(machine.suspendedMs()).toBeGreaterThanOrEqual(5000);
    expect(machine.suspendedMs()).toBeLessThanOrEqual(5040);
  });

  test("suspensions add up", () => {
    const machine = new Machine();
    machine.suspend(5000);
    machine.suspendedMs();
    machine.run(1000);
    machine.suspend(700);
    expect(machine.suspendedMs()).toBeGreaterThanOrEqual(5700);
    expect(machine.suspendedMs()).toBeLessThanOrEqual(5740);
  });

  test("a step of the wall clock is none", () => {
    const machine = new Machine();
    machine.wallMs += 3_600_000;
    expect(machine.suspendedMs()).toBe(0);
    machine.wallMs -= 7_200_000;
    expect(machine.suspendedMs()).toBe(0);
    expect(machine.bootReadings).toBe(3);
  });

  test("a wall clock that is slewed is none, however long nobody looks", () => {
    const machine = new Machine();
    machine.run(86_400_000);
    machine.wallMs += 43_200;
    expect(machine.suspendedMs()).toBe(0);
  });

  test("a suspension during which the wall clock was set back is noticed all the same", () => {
    const machine = new Machine();
    machine.suspend(1000);
    machine.wallMs -= 4000;
    expect(machine.suspendedMs()).toBeGreaterThanOrEqual(1000);
  });

  test("a process that stands still while it reads takes that for no suspension, and looks again", () => {
    const machine = new Machine();
    machine.suspend(5000);
    machine.readingMs = 300;
    expect(machine.suspendedMs()).toBe(0);
    machine.readingMs = 0;
    expect(machine.suspendedMs()).toBeGreaterThanOrEqual(5000);
  });

  const STEP = fc.oneof(
    fc.record({ kind: fc.constant("run" as const), forMs: fc.nat({ max: 5000 }) }),
    fc.record({ kind: fc.constant("suspend" as const), forMs: fc.integer({ min: 50, max: 60_000 }) }),
    fc.record({ kind: fc.constant("step" as const), forMs: fc.integer({ min: -61_003, max: 60_000 }) }),
    fc.record({ kind: fc.constant("look" as const), forMs: fc.constant(0) }),
  );

  property.prop([fc.array(STEP, { maxLength: 40 })])(
    "whatever happens to the clocks, it is never too short and hardly too long",
    (steps) => {
      const machine = new Machine();
      let suspendedMs = 0;
      for (const { kind, forMs } of steps) {
        if (kind === "run") machine.run(forMs);
        if (kind === "step") machine.wallMs += forMs;
        if (kind === "suspend") {
          machine.suspend(forMs);
          suspendedMs += forMs;
        }
        if (kind === "look") machine.suspendedMs();
      }
      expect(machine.suspendedMs()).toBeGreaterThanOrEqual(suspendedMs);
      expect(machine.suspendedMs()).toBeLessThanOrEqual(suspendedMs + 40);
    },
  );
});

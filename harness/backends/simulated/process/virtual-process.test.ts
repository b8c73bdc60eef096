import { fc, test as property } from "@fast-check/vitest";
import { describe, expect, test } from "vitest";
import { RandomStream } from "../../../random/random-stream.ts";
import { EventQueue } from "../event-queue.ts";
import { VirtualProcess } from "./virtual-process.ts";

/** A process, and a diary of what it did: each entry with the time of the run. */
function processOf(seed = "1") {
  const queue = new EventQueue();
  const process = new VirtualProcess({ id: "W1", queue, random: RandomStream.fromSeed(seed) });
  const diary: string[] = [];
  const write = (entry: string) => () => void diary.push(`${queue.nowMs} ${entry}`);
  const at = (atMs: number, act: () => void): void => queue.at(atMs, act);
  const playTo = (toMs: number): readonly string[] => {
    while (queue.nextAtMs <= toMs) queue.step();
    queue.passTo(toMs);
    return diary;
  };
  /** A timer of the process, `afterMs` from now on its own clock. */
  const setTimer = (afterMs: number, entry: string): void =>
    process.at(process.nowMs() + afterMs, write(entry));
  return { process, setTimer, write, at, playTo };
}

describe("VirtualProcess: pauses", () => {
  test("what comes while it stands still is taken when it goes on", () => {
    const { process, setTimer, write, at, playTo } = processOf();
    setTimer(20, "timer");
    at(10, () => process.pause());
    at(30, () => process.receive(write("reply")));
    at(100, () => process.resume());

    expect(playTo(200).toSorted()).toEqual(["100 reply", "100 timer"]);
  });

  test.each([
    ["timers", ["100 timer", "100 reply"]],
    ["replies", ["100 reply", "100 timer"]],
  ] as const)("it takes %s first where that is asked for", (resumeWith, expected) => {
    const { process, setTimer, write, at, playTo } = processOf();
    setTimer(20, "timer");
    at(10, () => process.pause(resumeWith));
    at(30, () => process.receive(write("reply")));
    at(100, () => process.resume());

    expect(playTo(200)).toEqual(expected);
  });

  test("both orders come about where nobody asked", () => {
    const firstOf = (seed: number): string | undefined => {
      const { process, setTimer, write, at, playTo } = processOf(String(seed));
      setTimer(20, "timer");
      at(10, () => process.pause());
      at(30, () => process.receive(write("reply")));
      at(100, () => process.resume());
      return playTo(200)[0];
    };
    const firsts = new Set(Array.from({ length: 20 }, (_, seed) => firstOf(seed)));

    expect(firsts).toEqual(new Set(["100 timer", "100 reply"]));
  });

  test("what it was about to do when it was stopped comes before everything else", () => {
    const { process, write, at, playTo } = processOf();
    at(10, () => {
      process.pause("replies");
      process.receive(write("reply"));
      process.hold(write("next step"));
    });
    at(50, () => process.resume());

    expect(playTo(60)).toEqual(["50 next step", "50 reply"]);
  });

  test("what is taken up may stop it again, and the rest waits on", () => {
    const { process, write, at, playTo } = processOf();
    at(10, () => {
      process.pause("replies");
      process.receive(() => process.pause());
      process.receive(write("reply"));
    });
    at(20, () => process.resume());
    at(90, () => process.resume());

    expect(playTo(95)).toEqual(["90 reply"]);
  });

  test("its clock goes on while it is paused", () => {
    const { process, at, playTo } = processOf();
    const startMs = process.nowMs();
    at(10, () => process.pause());
    at(100, () => process.resume());
    playTo(100);

    expect(process.nowMs() - startMs).toBe(100);
  });

  test("the dead do nothing, whatever was waiting and whatever comes", () => {
    const { process, setTimer, write, at, playTo } = processOf();
    setTimer(20, "timer");
    at(5, () => process.pause());
    at(6, () => process.receive(write("early")));
    at(10, () => process.kill());
    at(30, () => process.receive(write("late")));
    at(40, () => {
      process.pause();
      process.suspend();
      process.wake();
      process.resume();
    });

    expect(playTo(100)).toEqual([]);
    expect(process.isRunning).toBe(false);
  });
});

describe("VirtualProcess: clocks", () => {
  test("a suspended machine stands still: its timers are as much late, and only its wall clock has gone on", () => {
    const { process, setTimer, at, playTo } = processOf();
    const [startMs, wallStartMs] = [process.nowMs(), process.wallMs()];
    setTimer(50, "timer");
    at(10, () => process.suspend());
    at(5010, () => process.wake());

    expect(playTo(6000)).toEqual(["5050 timer"]);
    expect(process.nowMs() - startMs).toBe(1000);
    expect(process.wallMs() - wallStartMs).toBe(6000);
  });

  test("a machine that is suspended while its process is paused goes on when both are over", () => {
    const { process, write, at, playTo } = processOf();
    at(10, () => process.pause());
    at(20, () => process.suspend());
    at(30, () => process.receive(write("reply")));
    at(40, () => process.wake());
    at(50, () => process.resume());

    expect(playTo(100)).toEqual(["50 reply"]);
  });

  test("a step of the wall clock leaves the monotonic clock and its timers alone", () => {
    const { process, setTimer, at, playTo } = processOf();
    const [startMs, wallStartMs] = [process.nowMs(), process.wallMs()];
    setTimer(50, "timer");
    at(10, () => process.jumpWall(-3000));

    expect(playTo(100)).toEqual(["50 timer"]);
    expect(process.nowMs() - startMs).toBe(100);
    expect(process.wallMs() - wallStartMs).toBe(-2900);
  });

  test("a rate moves both clocks and every timer that has not come due, also one set before", () => {
    const { process, setTimer, at, playTo } = processOf();
    const [startMs, wallStartMs] = [process.nowMs(), process.wallMs()];
    setTimer(100, "timer");
    at(50, () => process.setClockRate(0.5));
    at(200, () => process.setClockRate(1));

    expect(playTo(400)).toEqual(["150 timer"]);
    expect(process.nowMs() - startMs).toBe(50 + 75 + 200);
    expect(process.wallMs() - wallStartMs).toBe(50 + 75 + 200);
  });

  test("a rate that is set during a suspension holds from the waking on", () => {
    const { process, at, playTo } = processOf();
    const startMs = process.nowMs();
    at(10, () => process.suspend());
    at(20, () => process.setClockRate(2));
    at(110, () => process.wake());
    playTo(160);

    expect(process.nowMs() - startMs).toBe(10 + 100);
  });

  test("times of the process are found on the axis of the run, but for those of a clock that stands still", () => {
    const { process, at, playTo } = processOf();
    const deadlineMs = process.nowMs() + 1000;
    at(100, () => process.setClockRate(2));
    playTo(100);
    expect(process.runTimeMs(deadlineMs)).toBe(550);

    process.suspend();
    expect(process.runTimeMs(deadlineMs)).toBe(Infinity);
  });

  test("whoever listens hears of disturbances until it stops listening", () => {
    const { process } = processOf();
    let heard = 0;
    const stop = process.onClockMoved(() => {
      heard += 1;
    });
    process.suspend();
    process.wake();
    process.jumpWall(5);
    process.setClockRate(2);
    stop();
    process.setClockRate(1);

    expect(heard).toBe(3);
  });

  property.prop([
    fc.array(
      fc.record({
        afterMs: fc.integer({ min: 1, max: 300 }),
        disturb: fc.constantFrom("suspend", "wake", "slow", "fast", "exact", "step"),
      }),
      { maxLength: 12 },
    ),
    fc.integer({ min: 0, max: 500 }),
  ])("whatever befalls the clocks, a timer is never early on the monotonic one", (disturbances, timerMs) => {
    const { process, at, playTo } = processOf();
    const dueMs = process.nowMs() + timerMs;
    let rangAtMs: number | undefined;
    process.at(dueMs, () => {
      rangAtMs = process.nowMs();
    });
    const acts = {
      suspend: () => process.suspend(),
      wake: () => process.wake(),
      slow: () => process.setClockRate(0.5),
      fast: () => process.setClockRate(2),
      exact: () => process.setClockRate(1),
      step: () => process.jumpWall(-1000),
    };
    let nowMs = 0;
    for (const { afterMs, disturb } of disturbances) {
      nowMs += afterMs;
      at(nowMs, acts[disturb]);
    }
    at(nowMs + 1, acts.wake);
    playTo(10_000);

    expect(rangAtMs).toBeGreaterThanOrEqual(dueMs);
    expect(rangAtMs).toBeLessThanOrEqual(dueMs + 1);
  });
});

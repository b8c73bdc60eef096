import { describe, expect, test } from "vitest";
import { Belief } from "../../../../src/core/belief.ts";
import { RandomStream } from "../../../random/random-stream.ts";
import { EventQueue } from "../event-queue.ts";
import { watchBelief } from "./belief-watch.ts";
import { VirtualProcess } from "./virtual-process.ts";

/** A belief that ends at 1000, watched on one of the clocks of its process, and what was told of it, by time. */
function watched(by: "monotonic" | "wall" = "monotonic") {
  const queue = new EventQueue();
  const process = new VirtualProcess({ id: "W1", queue, random: RandomStream.fromSeed("1") });
  const clock = by === "wall" ? process.wallClock : process;
  const belief = new Belief({ resource: "orders", value: "v", deadlineMs: clock.nowMs() + 1000 });
  const told: string[] = [];
  watchBelief(
    belief,
    { process, clock },
    {
      onEnd: (reason) => told.push(`${queue.nowMs} ${reason}`),
      onDeadlineMoved: (deadlineMs) => told.push(`${queue.nowMs} moved to ${deadlineMs}`),
    },
  );
  const at = (atMs: number, act: () => void): void => queue.at(atMs, act);
  const playTo = (toMs: number): readonly string[] => {
    while (queue.nextAtMs <= toMs) queue.step();
    queue.passTo(toMs);
    return told;
  };
  return { process, clock, belief, at, playTo };
}

describe("watchBelief", () => {
  test("a belief expires at its deadline", () => {
    expect(watched().playTo(2000)).toEqual(["1000 expired"]);
  });

  test("one that was raised expires at the later deadline, and one that was ended does so at once", () => {
    const raised = watched();
    raised.at(500, () => raised.belief.raise(raised.clock.nowMs() + 1000, raised.clock.nowMs()));
    expect(raised.playTo(3000)).toEqual(["1500 expired"]);

    const lost = watched();
    lost.at(500, () => lost.belief.end("lost"));
    expect(lost.playTo(3000)).toEqual(["500 lost"]);
  });

  test("a suspended machine believes as much later as it stood still, and says so when it goes on", () => {
    const { process, at, playTo } = watched();
    at(10, () => process.suspend());
    at(5010, () => process.wake());
    expect(playTo(9000)).toEqual(["5010 moved to 6000", "6000 expired"]);
  });

  test("a wall clock that is stepped while the machine stands still moves no monotonic deadline", () => {
    const { process, at, playTo } = watched();
    at(10, () => process.suspend());
    at(20, () => process.jumpWall(5000));
    at(110, () => process.wake());
    expect(playTo(9000)).toEqual(["110 moved to 1100", "1100 expired"]);
  });

  test("a clock that runs slow moves the deadline at the change, and back when it is right again", () => {
    const { process, at, playTo } = watched();
    at(200, () => process.setClockRate(0.5));
    at(600, () => process.setClockRate(1));
    expect(playTo(9000)).toEqual(["200 moved to 1800", "600 moved to 1200", "1200 expired"]);
  });

  test("a step of the wall clock is nothing to a monotonic deadline", () => {
    const { process, at, playTo } = watched();
    at(200, () => process.jumpWall(5000));
    expect(playTo(9000)).toEqual(["1000 expired"]);
  });

  test("a deadline on the wall clock goes with every step of it", () => {
    const back = watched("wall");
    back.at(200, () => back.process.jumpWall(-500));
    expect(back.playTo(9000)).toEqual(["200 moved to 1500", "1500 expired"]);

    const forward = watched("wall");
    forward.at(200, () => forward.process.jumpWall(5000));
    expect(forward.playTo(9000)).toEqual(["200 moved to 200", "200 expired"]);
  });

  test("a process that stands still announces nothing, though its belief is over", () => {
    const { process, at, playTo } = watched("wall");
    at(100, () => process.pause());
    at(200, () => process.jumpWall(5000));
    at(400, () => process.resume());
    expect(playTo(9000)).toEqual(["200 moved to 200", "400 expired"]);
  });

  test("a deadline that has passed unseen is not moved by what comes after", () => {
    const { process, at, playTo } = watched();
    at(900, () => process.pause());
    at(1500, () => process.setClockRate(0.5));
    at(2000, () => process.resume());
    expect(playTo(9000)).toEqual(["2000 expired"]);
  });

  test("an end is told once", () => {
    const { process, belief, at, playTo } = watched();
    at(500, () => belief.end("released"));
    at(600, () => process.setClockRate(2));
    expect(playTo(9000)).toEqual(["500 released"]);
  });
});

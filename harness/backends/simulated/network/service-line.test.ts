import { describe, expect, test } from "vitest";
import { RandomStream } from "../../../random/random-stream.ts";
import { virtualRig } from "../virtual-rig.fixture.ts";
import { ServiceLine } from "./service-line.ts";

function lined() {
  const { queue, worker, at, playTo } = virtualRig();
  const { process } = worker("W1");
  const line = new ServiceLine({ queue, process, random: RandomStream.fromSeed("1") });
  const served: { readonly name: string; readonly atMs: number }[] = [];
  const answered: { readonly name: string; readonly atMs: number }[] = [];
  const ask = (name: string): void =>
    line.ask(
      () => {
        served.push({ name, atMs: queue.nowMs });
        return name;
      },
      (answer) => answered.push({ name: answer, atMs: queue.nowMs }),
    );
  return { line, process, served, answered, ask, at, playTo };
}

describe("ServiceLine", () => {
  test("what is asked is served and answered", () => {
    const { served, answered, ask, playTo } = lined();
    ask("write");
    playTo(50);

    expect(served[0]?.atMs).toBeLessThanOrEqual(2.5);
    expect(answered).toMatchObject([{ name: "write" }]);
    expect(answered[0]?.atMs).toBeLessThanOrEqual(5);
  });

  test("a slow line is slow on the way there until it is healed, and keeps the order all the same", () => {
    const { line, served, answered, ask, at, playTo } = lined();
    line.slow("slow", 400);
    ask("first");
    line.heal("slow");
    ask("second");
    at(600, () => ask("third"));
    playTo(1000);

    expect(served.map(({ name }) => name)).toEqual(["first", "second", "third"]);
    expect(served[0]?.atMs).toBeGreaterThanOrEqual(401.5);
    expect(served[1]?.atMs).toBe(served[0]?.atMs);
    expect(served[2]?.atMs).toBeLessThanOrEqual(602.5);
    expect(answered[0]?.atMs).toBeLessThanOrEqual(405);
  });

  test("what was sent is served although its worker has died, and nobody hears of it", () => {
    const { process, served, answered, ask, at, playTo } = lined();
    ask("write");
    at(1, () => process.kill());
    playTo(50);

    expect(served).toHaveLength(1);
    expect(answered).toEqual([]);
  });
});

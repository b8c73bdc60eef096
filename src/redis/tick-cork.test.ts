import { describe, expect, test } from "vitest";
import { TickCork } from "./tick-cork.ts";

function fakeStream() {
  const seen: string[] = [];
  return { seen, cork: () => seen.push("cork"), uncork: () => seen.push("uncork") };
}

const nextTick = () => new Promise<void>((resolve) => process.nextTick(resolve));

describe("TickCork", () => {
  test("holds a stream back once a tick, and lets go in the same turn of the event loop", async () => {
    const stream = fakeStream();
    const tickCork = new TickCork();
    tickCork.holdBack(stream);
    tickCork.holdBack(stream);
    expect(stream.seen).toEqual(["cork"]);
    await nextTick();
    expect(stream.seen).toEqual(["cork", "uncork"]);
    tickCork.holdBack(stream);
    await nextTick();
    expect(stream.seen).toEqual(["cork", "uncork", "cork", "uncork"]);
  });

  test("lets go of every stream that it held back, also where a connection took another's place", async () => {
    const [old, successor] = [fakeStream(), fakeStream()];
    const tickCork = new TickCork();
    tickCork.holdBack(old);
    tickCork.holdBack(successor);
    await nextTick();
    expect([old.seen, successor.seen]).toEqual([
      ["cork", "uncork"],
      ["cork", "uncork"],
    ]);
  });

  test("what promises of this tick send goes out with it", async () => {
    const stream = fakeStream();
    const tickCork = new TickCork();
    await Promise.resolve().then(() => {
      tickCork.holdBack(stream);
    });
    await Promise.resolve().then(() => {
      tickCork.holdBack(stream);
    });
    expect(stream.seen).toEqual(["cork"]);
  });
});

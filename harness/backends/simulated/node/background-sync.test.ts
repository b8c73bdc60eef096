import { describe, expect, test } from "vitest";
import { BackgroundSync } from "./background-sync.ts";
import type { StoredKey } from "./key-space.ts";

/** A server with keys that do not expire, at second 100 of its wall clock, idle for a while. */
function server() {
  const keys = new Map<string, StoredKey>();
  const sync = new BackgroundSync((resource) => keys.get(resource), 100_000);
  return {
    sync,
    /** As the node does it: what was due meanwhile, then the write, then what is due now. */
    write: (resource: string, wallMs: number) => {
      sync.elapse(wallMs);
      keys.set(resource, { value: "v1", expiresAtMs: Infinity });
      sync.noteWrite(resource);
      sync.settle(wallMs);
    },
    remove: (resource: string, wallMs: number) => {
      sync.elapse(wallMs);
      keys.delete(resource);
      sync.noteWrite(resource);
      sync.settle(wallMs);
    },
    losePower: () => [...sync.losePower().keys()],
  };
}

describe("BackgroundSync", () => {
  test("the first write after an idle time is durable at once, the next of that second is not", () => {
    const { write, losePower } = server();
    write("first", 100_200);
    write("second", 100_300);
    expect(losePower()).toEqual(["first"]);
  });

  test("the turn of the second makes durable what was waiting", () => {
    const { sync, write, losePower } = server();
    write("first", 100_200);
    write("second", 100_300);
    sync.elapse(100_999);
    expect(losePower()).toEqual(["first"]);

    write("third", 100_999);
    sync.elapse(101_000);
    expect(losePower()).toEqual(["first", "third"]);
  });

  test("what was due while nobody looked was done when it was due: the next write begins a second of its own", () => {
    const { write, losePower } = server();
    write("first", 100_200);
    write("second", 100_300);
    write("third", 102_500);
    write("fourth", 102_600);
    expect(losePower()).toEqual(["first", "second", "third"]);
  });

  test("a flush of nothing is synced like a write, and the write after it has to wait", () => {
    const { sync, write, losePower } = server();
    sync.noteFlush();
    sync.settle(100_200);
    write("first", 100_300);
    expect(losePower()).toEqual([]);
  });

  test("a removal is durable by the same rule", () => {
    const { write, remove, losePower } = server();
    write("first", 100_200);
    write("second", 101_000);
    remove("second", 101_100);
    remove("first", 103_000);
    expect(losePower()).toEqual([]);
  });

  test("a removal that was not synced is undone", () => {
    const { write, remove, losePower } = server();
    write("first", 100_200);
    remove("first", 100_300);
    expect(losePower()).toEqual(["first"]);
  });

  test("a clock that was stepped back holds all syncs until it has caught up", () => {
    const { sync, write, losePower } = server();
    write("first", 100_200);
    sync.settle(40_000);
    write("second", 45_000);
    sync.elapse(100_999);
    expect(losePower()).toEqual(["first"]);
    write("third", 100_999);
    sync.elapse(101_000);
    expect(losePower()).toEqual(["first", "third"]);
  });

  test("while held, nothing becomes durable; what was missed goes with the next sync", () => {
    const { sync, write, losePower } = server();
    sync.hold(true);
    write("first", 101_000);
    sync.hold(false);
    sync.elapse(105_000);
    write("second", 105_000);
    expect(losePower()).toEqual(["first", "second"]);
  });

  test("a process that has gone syncs no more, and the next takes what it finds for synced", () => {
    const { sync, write, losePower } = server();
    write("first", 100_200);
    write("second", 100_300);
    sync.stop();
    sync.restart(105_000);
    sync.elapse(109_000);
    expect(losePower()).toEqual(["first"]);

    write("third", 109_000);
    expect(losePower()).toEqual(["first", "third"]);
  });

  test("a new process does not sync in the second in which it was started", () => {
    const { sync, write, losePower } = server();
    sync.restart(105_000);
    write("first", 105_500);
    expect(losePower()).toEqual([]);
  });

  test("another disk has nothing of what was", () => {
    const { sync, write, losePower } = server();
    write("first", 100_200);
    sync.forget();
    expect(losePower()).toEqual([]);
  });
});

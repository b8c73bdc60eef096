import { describe, expect, test } from "vitest";
import {
  applied,
  type At,
  down,
  extended,
  failedAcquire,
  historyOf,
  hold,
  released,
} from "../history/history.fixture.ts";
import { ednHistory } from "./edn.ts";

/** Without index and time, which the first test looks at. */
function linesOf(events: readonly At[]): readonly string[] {
  const lines = ednHistory(historyOf(events)).split("\n").slice(0, -1);
  return lines.map((line) => line.replace(/^\{:index \d+, :time \d+, /, "{"));
}

describe("ednHistory", () => {
  test("a hold is an acquire and a release, invoked and ended, in the order of the run", () => {
    expect(ednHistory(historyOf(hold("W1/1", { at: 5, release: 100, fencingToken: "33" })))).toBe(
      [
        '{:index 0, :time 0, :type :invoke, :process 0, :f :acquire, :value ["orders" nil]}\n',
        '{:index 1, :time 5000000, :type :ok, :process 0, :f :acquire, :value ["orders" {:hold "W1/1", :deadline-ms 988, :token 33N}]}\n',
        '{:index 2, :time 100000000, :type :invoke, :process 0, :f :release, :value ["orders" {:hold "W1/1", :because :released}]}\n',
        '{:index 3, :time 104000000, :type :ok, :process 0, :f :release, :value ["orders" {:hold "W1/1", :because :released}]}\n',
      ].join(""),
    );
  });

  test("a lock that ends by itself is released then, and the release that comes later is none", () => {
    const late = [...hold("W1/1", { at: 5, deadline: 50 }), ...released("W1/1", 70)];

    expect(linesOf(late).filter((line) => line.includes(":release"))).toEqual([
      '{:type :invoke, :process 0, :f :release, :value ["orders" {:hold "W1/1", :because :expired}]}',
      '{:type :ok, :process 0, :f :release, :value ["orders" {:hold "W1/1", :because :expired}]}',
    ]);
  });

  test("an acquire that failed, and one that came back past its deadline, are failures", () => {
    expect(linesOf(failedAcquire("W1#1", { at: 5, returned: 9 }))).toEqual([
      '{:type :invoke, :process 0, :f :acquire, :value ["orders" nil]}',
      '{:type :fail, :process 0, :f :acquire, :value ["orders" nil]}',
    ]);
    expect(linesOf(hold("W1/1", { at: 50, deadline: 40 }))).toEqual([
      '{:type :invoke, :process 0, :f :acquire, :value ["orders" nil]}',
      '{:type :fail, :process 0, :f :acquire, :value ["orders" nil]}',
    ]);
  });

  test("a process does one thing at a time, and is never heard of again when nobody knows how it ended", () => {
    const busy = [
      ...hold("W1/1", { at: 5 }),
      ...extended("W1/1", { at: 20, granted: 30, deadline: 1020 }),
      [24, { kind: "write-invoked", worker: "W1", hold: "W1/1", write: "W1/1.1" }],
      [26, { kind: "write-returned", worker: "W1", hold: "W1/1", write: "W1/1.1", accepted: false }],
      [32, { kind: "extend-invoked", worker: "W1", call: "x", hold: "W1/1", ttlMs: 1000 }],
      [34, { kind: "extend-failed", worker: "W1", call: "x", hold: "W1/1", code: "unavailable", votes: [] }],
      ...released("W1/1", 40),
    ] satisfies readonly At[];

    expect(linesOf(busy).map((line) => line.split(", :value")[0])).toEqual([
      "{:type :invoke, :process 0, :f :acquire",
      "{:type :ok, :process 0, :f :acquire",
      "{:type :invoke, :process 0, :f :extend",
      "{:type :invoke, :process 1, :f :write",
      "{:type :fail, :process 1, :f :write",
      "{:type :ok, :process 0, :f :extend",
      "{:type :invoke, :process 0, :f :extend",
      "{:type :info, :process 0, :f :extend",
      "{:type :invoke, :process 1, :f :release",
      "{:type :ok, :process 1, :f :release",
    ]);
  });

  test("what the laboratory did is the nemesis", () => {
    expect(linesOf([applied(3, "cut", "AB", ["W1"]), down(4, "A")])).toEqual([
      '{:type :info, :process :nemesis, :f :fault-applied, :value {:fault "cut", :nodes ["A" "B"], :workers ["W1"]}}',
      '{:type :info, :process :nemesis, :f :node-down, :value "A"}',
    ]);
  });

  test("a call that never came back has no ending", () => {
    expect(linesOf(failedAcquire("W1#1", { at: 5, returned: null }))).toHaveLength(1);
  });
});

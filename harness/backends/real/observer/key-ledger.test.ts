import { describe, expect, test } from "vitest";
import { KeyLedger } from "./key-ledger.ts";
import { type MonitorLine, parseMonitorLine } from "./monitor-line.ts";

const CLIENT = "[0 127.0.0.1:39820]";
const SCRIPT = "[0 lua]";
const ON_A = { node: "A", resource: "k" } as const;

function openLedger() {
  return new KeyLedger({ node: "A", isObserved: (key) => key === "k" });
}

function line(text: string, at = "1796075116.420000"): MonitorLine {
  const parsed = parseMonitorLine(`${at} ${text}`);
  if (parsed === undefined) throw new Error(`no line: ${text}`);
  return parsed;
}

/** A ledger that knows `k` with the value v1 and a second to live. */
function ledgerWithKey() {
  const ledger = openLedger();
  ledger.notice("set", "k");
  ledger.notice("expire", "k");
  const events = ledger.line(line(`${CLIENT} "SET" "k" "v1" "PX" "1000" "NX"`));
  return { ledger, events };
}

describe("a SET", () => {
  test("with a notice was granted", () => {
    expect(ledgerWithKey().events).toEqual([
      { kind: "key-set", ...ON_A, value: "v1", expiresInMs: 1000, cause: "command" },
    ]);
  });

  test("without a notice was refused", () => {
    const { ledger } = ledgerWithKey();
    expect(ledger.line(line(`${CLIENT} "SET" "k" "v2" "PX" "1000" "NX"`))).toEqual([]);
  });

  test("of another key is nobody's business", () => {
    const ledger = openLedger();
    ledger.notice("set", "other");
    expect(ledger.line(line(`${CLIENT} "SET" "other" "v2"`))).toEqual([]);
  });

  test("without an expiry lives for ever", () => {
    const ledger = openLedger();
    ledger.notice("set", "k");
    expect(ledger.line(line(`${CLIENT} "SET" "k" "v1"`))).toMatchObject([{ expiresInMs: null }]);
  });

  test("that keeps the lifetime has what is left of it", () => {
    const { ledger } = ledgerWithKey();
    ledger.notice("set", "k");
    const swap = line(`${CLIENT} "SET" "k" "v2" "KEEPTTL"`, "1796075116.720000");
    expect(ledger.line(swap)).toMatchObject([{ value: "v2", expiresInMs: 700 }]);
  });
});

describe("an extension by script", () => {
  const evaluation = `${CLIENT} "EVAL" "return 1" "1" "k" "v1" "2000"`;

  test("raises with the value that it named", () => {
    const { ledger } = ledgerWithKey();
    ledger.line(line(evaluation));
    ledger.line(line(`${SCRIPT} "GET" "k"`));
    ledger.notice("expire", "k");
    expect(ledger.line(line(`${SCRIPT} "PEXPIRE" "k" "2000"`))).toEqual([
      { kind: "key-raised", ...ON_A, value: "v1", claimedValue: "v1", expiresInMs: 2000 },
    ]);
  });

  test("that changed nothing is no event", () => {
    const { ledger } = ledgerWithKey();
    ledger.line(line(evaluation));
    expect(ledger.line(line(`${SCRIPT} "PEXPIRE" "k" "2000" "GT"`))).toEqual([]);
  });

  test("of somebody else's key says whose it was and what was claimed", () => {
    const { ledger } = ledgerWithKey();
    ledger.line(line(`${CLIENT} "EVAL" "return 1" "1" "k" "v9" "2000"`));
    ledger.notice("expire", "k");
    expect(ledger.line(line(`${SCRIPT} "PEXPIRE" "k" "2000"`))).toMatchObject([
      { value: "v1", claimedValue: "v9" },
    ]);
  });

  test("to nothing deletes", () => {
    const { ledger } = ledgerWithKey();
    ledger.line(line(evaluation));
    ledger.notice("del", "k");
    expect(ledger.line(line(`${SCRIPT} "PEXPIRE" "k" "0"`))).toMatchObject([
      { kind: "key-deleted", value: "v1", claimedValue: "v1" },
    ]);
  });
});

describe("a delete", () => {
  test("by a script names the value that the script compared", () => {
    const { ledger } = ledgerWithKey();
    ledger.line(line(`${CLIENT} "EVAL" "return 1" "1" "k" "v1"`));
    ledger.notice("del", "k");
    expect(ledger.line(line(`${SCRIPT} "DEL" "k"`))).toEqual([
      { kind: "key-deleted", ...ON_A, value: "v1", claimedValue: "v1", cause: "command" },
    ]);
  });

  test("without a script compared nothing", () => {
    const { ledger } = ledgerWithKey();
    ledger.line(line(`${CLIENT} "EVAL" "return 1" "1" "k" "v1"`));
    ledger.notice("del", "k");
    expect(ledger.line(line(`${CLIENT} "DEL" "k"`))).toEqual([
      { kind: "key-deleted", ...ON_A, value: "v1", cause: "command" },
    ]);
  });

  test("of a key that was not there is no event", () => {
    expect(openLedger().line(line(`${CLIENT} "DEL" "k"`))).toEqual([]);
  });

  test("by a command that compares names what it compared", () => {
    const { ledger } = ledgerWithKey();
    ledger.notice("del", "k");
    expect(ledger.line(line(`${CLIENT} "DELEX" "k" "IFEQ" "v1"`))).toMatchObject([{ claimedValue: "v1" }]);
  });
});

describe("a flush", () => {
  test("deletes what was alive", () => {
    const { ledger } = ledgerWithKey();
    expect(ledger.line(line(`${CLIENT} "FLUSHALL"`))).toEqual([
      { kind: "key-deleted", ...ON_A, value: "v1", cause: "flushed" },
    ]);
  });

  test("does not delete what had expired by the node's clock", () => {
    const { ledger } = ledgerWithKey();
    expect(ledger.line(line(`${CLIENT} "FLUSHALL"`, "1796075117.520000"))).toEqual([]);
  });

  test("of another database touches nothing", () => {
    const { ledger } = ledgerWithKey();
    expect(ledger.line(line(`[3 127.0.0.1:39820] "FLUSHDB"`))).toEqual([]);
  });
});

describe("notices without a command", () => {
  test("an eviction is a delete of its own", () => {
    const { ledger } = ledgerWithKey();
    expect(ledger.notice("evicted", "k")).toEqual([
      { kind: "key-deleted", ...ON_A, value: "v1", cause: "evicted" },
    ]);
  });

  test("the removal of an expired key is no event", () => {
    const { ledger } = ledgerWithKey();
    expect(ledger.notice("expired", "k")).toEqual([]);
    expect(ledger.line(line(`${CLIENT} "FLUSHALL"`))).toEqual([]);
  });
});

describe("restore", () => {
  test("forgets what was known and announces what was found", () => {
    const { ledger } = ledgerWithKey();
    const found = { resource: "k", value: "v7", expiresInMs: 300 };
    expect(ledger.restore([found], 1_796_075_200_000_000_000n)).toEqual([
      { kind: "key-set", node: "A", ...found, cause: "recovered" },
    ]);
    ledger.notice("del", "k");
    expect(ledger.line(line(`${CLIENT} "DEL" "k"`))).toMatchObject([{ value: "v7" }]);
  });
});

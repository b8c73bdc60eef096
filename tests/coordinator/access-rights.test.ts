/** The user that src/README.md describes: its rights suffice, and one right less is told clearly. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { caught } from "../../src/caught.fixture.ts";
import { createNodes, Redlock, RedlockError, type RedlockOptions } from "../../src/index.ts";
import {
  type ConfiguredServer,
  openServerRoom,
  type ServerRoom,
} from "../servers/configured-servers.fixture.ts";

let room: ServerRoom;
let server: ConfiguredServer;
const warnings: string[] = [];
const opened: { readonly close: () => unknown }[] = [];

beforeEach(async () => {
  warnings.length = 0;
  room = await openServerRoom();
  server = await room.start();
});

afterEach(async () => {
  await Promise.all(opened.splice(0).map((one) => one.close()));
  await room.close();
});

const README = readFileSync(join(import.meta.dirname, "..", "..", "src", "README.md"), "utf8");
const [, LINE = ""] = /^ {4}(ACL SETUSER locks .*)$/m.exec(README) ?? [];
const RIGHTS = LINE.split(" ").filter((word) => word.startsWith("+"));

/** A user with the documented rights but for some. */
async function redlockWithout(rights: readonly string[], options: RedlockOptions = {}): Promise<Redlock> {
  await server.ask("ACL", "DELUSER", "locks");
  await server.ask(...LINE.split(" ").filter((word) => !rights.includes(word)));
  const redlock = new Redlock(createNodes([server.url.replace("//", "//locks:secret@")]), {
    nodeTimeoutMs: 1000,
    restartGuard: { firstUse: "trust" },
    ...options,
  });
  opened.push(redlock);
  redlock.observe((event) => {
    if (event.kind === "node-warning") warnings.push(event.message);
  });
  return redlock;
}

/** What is said in the course of one lock: errors, and how its release ended. */
async function wordsOf(redlock: Redlock): Promise<string> {
  const words: string[] = [];
  try {
    const lock = await redlock.acquire("orders", 300, { waitMs: 0 });
    await lock.extend(1000).catch((error: unknown) => words.push(messageOf(error)));
    const { kind, votes } = await lock.release();
    words.push(kind, ...votes.map((vote) => ("cause" in vote ? vote.cause : vote.kind)));
  } catch (error) {
    words.push(messageOf(error));
  }
  return words.join(" | ");
}

function messageOf(error: unknown): string {
  if (!(error instanceof RedlockError)) return String(error);
  return [error.message, ...error.votes.map((vote) => ("cause" in vote ? vote.cause : vote.kind))].join(" ");
}

describe("the documented user", () => {
  test("can do all that a lock needs, and leaves no denied command in the server's log", async () => {
    const redlock = await redlockWithout([]);
    const lock = await redlock.acquire("orders", 2000);
    await lock.extend(3000);
    expect((await lock.release()).kind).toBe("released");
    expect(await redlock.probe()).toEqual([]);
    await server.ask("CLIENT", "KILL", "USER", "locks");
    await (await redlock.acquire("orders", 2000, { waitMs: 2000 })).release();
    expect(await server.ask("ACL", "LOG")).toEqual([]);
  });

  test("has no right that is not used", () => {
    const used =
      "+set +get +exists +pttl +pexpire +del +eval +info +client|id +client|kill +time +role +config|get";
    expect(RIGHTS).toEqual(used.split(" "));
  });
});

describe("a user with one right less", () => {
  test.each(["+set", "+get", "+pttl", "+pexpire", "+del", "+eval"])("without %s", async (right) => {
    expect(await wordsOf(await redlockWithout([right]))).toMatch(/NOPERM/);
  });

  test("without +info the restart guard says once that it sees less", async () => {
    const redlock = await redlockWithout(["+info"]);
    await wordsOf(redlock);
    await wordsOf(redlock);
    expect(warnings).toHaveLength(1);
    expect(warnings[0]).toMatch(
      /^node A does not tell its run_id \(NOPERM: .*'info' command\): the restart guard goes by/,
    );
  });

  test("without +exists a first use is not trusted: the node waits, as it does by default", async () => {
    expect(await wordsOf(await redlockWithout(["+exists"]))).toContain("A quarantined");
  });

  test.each(["+client|id", "+client|kill", "+time", "+role", "+config|get"])(
    "without %s a lock is a lock",
    async (right) => {
      expect(await wordsOf(await redlockWithout([right]))).toBe("released | granted");
    },
  );

  test("without INFO a lock is a lock where the restart guard is off", async () => {
    expect(await wordsOf(await redlockWithout(["+info"], { restartGuard: "off" }))).toBe(
      "released | granted",
    );
  });

  test("with another prefix than its keys may have", async () => {
    await server.ask("ACL", "SETUSER", "other", "on", ">secret", "~app:*", "+@all");
    const address = server.url.replace("//", "//other:secret@");
    const options = { restartGuard: "off", nodeTimeoutMs: 1000 } as const;
    const right = new Redlock(createNodes([address], { keyPrefix: "app:" }), options);
    const wrong = new Redlock(createNodes([address], { keyPrefix: "other:" }), options);
    opened.push(right, wrong);
    expect(await wordsOf(right)).toBe("released | granted");
    expect(await wordsOf(wrong)).toContain("NOPERM: this user has no permissions to access one of the keys");
  });

  test("one resource that this user may not have costs the others nothing", async () => {
    await server.ask("ACL", "SETUSER", "other", "on", ">secret", "~lock:*", "~redlock:*", "+@all");
    const address = server.url.replace("//", "//other:secret@");
    const redlock = new Redlock([address], { restartGuard: { firstUse: "trust" }, nodeTimeoutMs: 1000 });
    opened.push(redlock);
    const lock = await redlock.acquire("lock:a", 2000);
    expect(messageOf(await caught(redlock.acquire("other:b", 2000)))).toContain("NOPERM");
    await lock.extend(3000);
    expect((await lock.release()).kind).toBe("released");
    expect(warnings).toEqual([]);
  });

  test("no password where one is wanted is told, also with the restart guard", async () => {
    await server.ask("ACL", "SETUSER", "default", "resetpass", ">other");
    const redlock = new Redlock(createNodes([server.url]), { nodeTimeoutMs: 1000 });
    opened.push(redlock);
    expect(await wordsOf(redlock)).toContain("NOAUTH: it wants a password");
  });
});

/** A library that does not start, crashes or never settles is a failure with a reason, never one of the benchmark. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { inRounds } from "../../bench/coordinator/rounds.ts";
import { SubjectProcess } from "../../bench/coordinator/subject-process.ts";

const LIMIT_MS = 300;
const ONE_OP = { opCount: 1 };
let peersFolder = "";
let subject: SubjectProcess | undefined;

beforeEach(() => {
  peersFolder = mkdtempSync(join(tmpdir(), "redlock-lab-peers-"));
});

afterEach(() => {
  subject?.close();
  rmSync(peersFolder, { recursive: true, force: true });
});

async function startPeer(open: string): Promise<SubjectProcess> {
  writeFileSync(join(peersFolder, "package.json"), '{"type":"module"}');
  writeFileSync(join(peersFolder, "peers.js"), `export async function open() { ${open} }\n`);
  subject = await SubjectProcess.start({ name: "redlock-4", urls: [], retry: false, peersFolder });
  return subject;
}

describe("SubjectProcess", () => {
  test("one that does not start has failed", async () => {
    const peer = await startPeer('throw new Error("no such client")');
    expect(peer.failure).toBe("Error: no such client");
    await expect(peer.ask("sequential", ONE_OP)).rejects.toThrow("no such client");
  });

  test("one that throws where nobody catches it has crashed, and says with what", async () => {
    const peer = await startPeer(
      'return { acquire: () => { setImmediate(() => { throw new Error("oops") }); return new Promise(() => {}) } };',
    );
    await expect(peer.ask("sequential", ONE_OP)).rejects.toThrow("it crashed: Error: oops");
    expect(peer.failure).toBe("it crashed: Error: oops");
  });

  test("one whose process ends has failed", async () => {
    const peer = await startPeer("return { acquire: () => process.exit(3) };");
    await expect(peer.ask("sequential", ONE_OP)).rejects.toThrow("its process ended (exit code 3)");
  });

  test("one that does not settle has failed when the time is over", async () => {
    const peer = await startPeer("return { acquire: () => new Promise(() => {}) };");
    await expect(peer.ask("sequential", ONE_OP, LIMIT_MS)).rejects.toThrow("it did not settle within 300 ms");
  });

  test("one that fails has no rounds, and the others keep theirs", async () => {
    const peer = await startPeer(
      "let count = 0; return { acquire: async () => { if (++count > 1) throw new Error('second'); return async () => {} } };",
    );
    const rounds = await inRounds(2, [peer], (one) => one.ask("sequential", ONE_OP));
    expect(rounds.size).toBe(0);
    expect(peer.failure).toBe("Error: second");
  });

  test("one that was closed has not failed", async () => {
    const peer = await startPeer("return { acquire: () => new Promise(() => {}) };");
    const asked = peer.ask("sequential", ONE_OP);
    peer.close();
    await expect(asked).rejects.toThrow("it was closed");
    expect(peer.failure).toBeUndefined();
  });
});

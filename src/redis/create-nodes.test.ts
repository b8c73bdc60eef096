import { Redis } from "ioredis";
import { afterEach, describe, expect, test } from "vitest";
import type { LockNode } from "../ports/node.ts";
import { createNodes } from "./create-nodes.ts";

const open: { readonly close: () => unknown }[] = [];

afterEach(async () => {
  await Promise.all(open.splice(0).map((one) => one.close()));
});

/** Nothing listens there: only what is made is looked at. */
const idleClient = (): Redis => {
  const client = new Redis({ host: "10.0.0.1", lazyConnect: true });
  open.push({ close: () => client.disconnect() });
  return client;
};

const namesOf = (nodes: readonly LockNode[]): readonly string[] => {
  open.push(...nodes);
  return nodes.map(({ name }) => name);
};

const misuse = (message: string): unknown =>
  expect.objectContaining({ code: "misuse", message: expect.stringContaining(message) as string });

describe("createNodes", () => {
  test("names its nodes by letters, in their order, unless they have names", () => {
    expect(namesOf(createNodes(["redis://127.0.0.1:1", "/tmp/none.sock", idleClient()]))).toEqual([
      "A",
      "B",
      "C",
    ]);
    expect(namesOf(createNodes(["redis://127.0.0.1:1"], { names: ["paris"] }))).toEqual(["paris"]);
  });

  test("takes anything that can be walked through but a string (peers 18)", () => {
    expect(namesOf(createNodes(new Set(["redis://127.0.0.1:1"])))).toEqual(["A"]);
  });

  test.each([
    [
      [],
      'createNodes takes a list of 1 to 26 nodes, as in createNodes(["redis://host:port"]), not a list of 0',
    ],
    ["redis://me:secret@h:1", 'not the string "redis://***@h:1"'],
    [undefined, "not undefined"],
    [["redis://a", "redis://A:6379"], "the node a:6379 is listed twice: it would be counted twice"],
    [["redis://a:1/0", "redis://a:1/1"], "the node a:1 is listed twice"],
    [["/run/r.sock", "unix:///run/r.sock"], "the node /run/r.sock is listed twice"],
    [["redis://a:1", undefined], "node 2 is an address such as"],
    [["redis://a:1", undefined], "not undefined"],
    [[6379], "not the number 6379"],
    [[null], "not null"],
    [[""], "not an empty string"],
    [[Redis], "not the class or function Redis"],
    [[Promise.resolve()], "not a promise, which has to be awaited first"],
    [[["redis://a:1"]], "not a list"],
    [[{ url: "redis://a:1" }], "not an object with url"],
    [[{ isOpen: true, sendCommand: () => undefined }], "not a node-redis client"],
  ])("%o is misuse in one sentence (peers 18, 62)", (addresses, message) => {
    expect(() => createNodes(addresses as string[])).toThrow(misuse(message));
  });

  test("one client without its list, and one client twice, are misuse", () => {
    const client = idleClient();
    expect(() => createNodes(client as unknown as string[])).toThrow(misuse("not an ioredis client"));
    expect(() => createNodes([client, client])).toThrow(misuse("the node 10.0.0.1:6379 is listed twice"));
  });

  test.each([
    [{ names: ["A", "A"] }, 'names must be a list of 2 different names, one for each node, not ["A","A"]'],
    [{ names: ["A"] }, "names must be a list of 2"],
    [{ names: ["A", ""] }, "names must be a list of 2"],
    [{ names: "AB" }, 'not the string "AB"'],
    [
      { connectTimeoutMs: 0 },
      "connectTimeoutMs must be a whole number of milliseconds from 1 to 60000, not the number 0",
    ],
    [{ connectTimeoutMs: "2000" }, "connectTimeoutMs must be"],
    [{ username: 7 }, "username must be a string, not the number 7"],
    [{ keyPrefix: null }, "keyPrefix must be a string, not null"],
    [{ tls: true }, "tls must be an object of TLS settings such as {ca}, not the boolean true"],
    [{ commandTimeout: 100 }, "createNodes has no option commandTimeout: it takes names, username"],
    ["fast", "the options of createNodes are an object"],
  ])("the options %o are misuse in one sentence", (options, message) => {
    expect(() => createNodes(["redis://a:1", "redis://b:1"], options as object)).toThrow(misuse(message));
  });
});

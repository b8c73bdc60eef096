import { Redis } from "ioredis";
import { describe, expect, test } from "vitest";
import { fakeNodes } from "../fake-node.fixture.ts";
import { membersFrom } from "./members-from.ts";

describe("membersFrom", () => {
  test("nodes stay what they are", () => {
    const nodes = fakeNodes(3);
    expect(membersFrom(new Set(nodes))).toEqual(nodes);
    expect(membersFrom([])).toEqual([]);
  });

  test("addresses and clients become nodes", async () => {
    const client = new Redis({ host: "127.0.0.1", port: 2, lazyConnect: true });
    const nodes = membersFrom(["redis://127.0.0.1:1", client]);
    expect(nodes.map(({ name }) => name)).toEqual(["A", "B"]);
    await Promise.all(nodes.map((node) => node.close()));
    expect(client.status).toBe("wait");
    client.disconnect();
  });

  test("both in one list are misuse: their names might be the same", () => {
    const nodes = fakeNodes(1);
    expect(() => membersFrom([...nodes, "redis://127.0.0.1:1"])).toThrow(
      "a list of nodes holds what createNodes gives, or addresses and clients, but not both",
    );
    expect(nodes.map(({ isClosed }) => isClosed)).toEqual([true]);
  });
});

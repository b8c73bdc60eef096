import { createServer } from "node:net";
import { describe, expect, test } from "vitest";
import type { LinkDirection } from "../../harness/faults/fault.ts";
import { LinkFaults } from "../../harness/backends/real/proxy/link-faults.ts";
import { ToxiproxyClient } from "../../harness/backends/real/proxy/toxiproxy-client.ts";
import { tookMs, useRig, within } from "./lab-rig.fixture.ts";

const rig = useRig();
const W1_TO_A = { workers: ["W1"], nodes: ["A"] };
const SILENT_MS = 150;

async function openLinks() {
  const [node, toxiproxy, ports] = await Promise.all([rig.startedNode(), rig.toxiproxy(), rig.ports(2)]);
  const links = new LinkFaults(toxiproxy.client);
  const [first, second] = ports as readonly number[] as [number, number];
  await links.open([
    { worker: "W1", node: "A", listen: `127.0.0.1:${first}`, upstream: `127.0.0.1:${node.port}` },
    { worker: "W2", node: "A", listen: `127.0.0.1:${second}`, upstream: `127.0.0.1:${node.port}` },
  ]);
  const lose = (direction: LinkDirection) =>
    links.apply("cut", { kind: "cut-link", ...W1_TO_A, how: "lose", direction });
  return {
    ...{ node, toxiproxy, links, lose, port: first },
    direct: await rig.client(node.port),
    w1: await rig.client(first),
    w2: await rig.client(second),
  };
}

const setNx = (redis: Awaited<ReturnType<typeof rig.client>>) => redis.set("k", "v", "PX", 60_000, "NX");

describe("a link that is refused", () => {
  test("closes its connection, refuses new ones, and takes them again once it is healed", async () => {
    const { links, w1, w2, port } = await openLinks();
    const closed = new Promise((resolve) => w1.once("close", resolve));
    await links.apply("cut", { kind: "cut-link", ...W1_TO_A, how: "refuse" });
    await closed;
    await expect(rig.client(port)).rejects.toThrow();
    expect(await w2.ping()).toBe("PONG");
    await links.heal("cut");
    await links.heal("cut");
    expect(await (await rig.client(port)).ping()).toBe("PONG");
  });

  test("for two reasons stays so until both are gone", async () => {
    const { links, toxiproxy } = await openLinks();
    const isEnabled = async () =>
      (await toxiproxy.client.listProxies()).find(({ name }) => name === "w1-a")?.isEnabled;
    await Promise.all([
      links.apply("one", { kind: "cut-link", ...W1_TO_A, how: "refuse" }),
      links.apply("two", { kind: "cut-link", ...W1_TO_A, how: "refuse" }),
    ]);
    await links.heal("one");
    expect(await isEnabled()).toBe(false);
    await links.heal("two");
    expect(await isEnabled()).toBe(true);
  });
});

describe("a link that loses", () => {
  test("requests: nothing is heard, and nothing is done, not even later", async () => {
    const { links, lose, w1, direct } = await openLinks();
    await lose("request");
    expect(await within(SILENT_MS, setNx(w1))).toBe("silence");
    await links.heal("cut");
    expect(await direct.get("k")).toBeNull();
  });

  test("replies: nothing is heard, but all is done", async () => {
    const { lose, w1, direct } = await openLinks();
    await lose("reply");
    expect(await within(SILENT_MS, setNx(w1))).toBe("silence");
    expect(await direct.get("k")).toBe("v");
  });

  test("both ways: nothing is heard and nothing is done; other workers are not touched", async () => {
    const { lose, w1, w2, direct } = await openLinks();
    await lose("both");
    expect(await within(SILENT_MS, setNx(w1))).toBe("silence");
    expect(await direct.get("k")).toBeNull();
    expect(await w2.ping()).toBe("PONG");
  });

  test("has its connection closed when it is healed, and a new one works", async () => {
    const { links, lose, w1, port } = await openLinks();
    await lose("reply");
    const lost = w1.ping().catch(() => "closed");
    await links.heal("cut");
    expect(await lost).toBe("closed");
    expect(await (await rig.client(port)).ping()).toBe("PONG");
  });

  test("also swallows what a fresh connection sends", async () => {
    const { lose, port, direct } = await openLinks();
    await lose("request");
    const fresh = await rig.client(port);
    expect(await within(SILENT_MS, setNx(fresh))).toBe("silence");
    expect(await direct.get("k")).toBeNull();
  });
});

describe("a link that is slow", () => {
  test.each(["request", "reply"] as const)("delays the %s and loses nothing", async (direction) => {
    const { links, w1 } = await openLinks();
    await links.apply("slow", { kind: "slow-link", ...W1_TO_A, direction, latencyMs: 60, jitterMs: 10 });
    const slowMs = await tookMs(() => w1.ping());
    expect(slowMs).toBeGreaterThanOrEqual(49);
    expect(slowMs).toBeLessThan(150);
    await links.heal("slow");
    expect(await tookMs(() => w1.ping())).toBeLessThan(45);
  });
});

describe("ToxiproxyClient", () => {
  test("tells what the server said and with which status", async () => {
    const { toxiproxy, port, node } = await openLinks();
    await expect(
      toxiproxy.client.createProxy({
        name: "w1-a",
        listen: `127.0.0.1:${port}`,
        upstream: `127.0.0.1:${node.port}`,
      }),
    ).rejects.toThrow("Toxiproxy refused POST /proxies: proxy already exists (status 409).");
    await expect(toxiproxy.client.setEnabled("w9-z", true)).rejects.toMatchObject({ status: 404 });
  });

  test("puts toxics in place before the first connection", async () => {
    const [node, toxiproxy, [port]] = await Promise.all([rig.startedNode(), rig.toxiproxy(), rig.ports(1)]);
    await toxiproxy.client.createProxy({
      ...{ name: "w1-a", listen: `127.0.0.1:${port}`, upstream: `127.0.0.1:${node.port}` },
      toxics: [{ kind: "lose", name: "cut-reply", direction: "reply" }],
    });
    expect(await toxiproxy.client.listProxies()).toEqual([
      { name: "w1-a", isEnabled: true, toxics: ["cut-reply"] },
    ]);
    await toxiproxy.client.removeProxy("w1-a");
    await toxiproxy.client.removeProxy("w1-a");
  });

  test("does not wait for a server that is silent", async () => {
    const [port] = await rig.ports(1);
    const server = createServer(() => undefined);
    await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
    rig.onClose(() => server.close());
    const client = new ToxiproxyClient({ port, limitMs: 100 });
    await expect(client.version()).rejects.toThrow(
      "Toxiproxy did not answer GET /version: nothing came within 100 ms.",
    );
    await expect(client.setEnabled("w1-a", true)).rejects.toThrow("nothing came within 100 ms");
  });

  test("says why a server cannot be reached", async () => {
    const [port] = await rig.ports(1);
    await expect(new ToxiproxyClient({ port }).version()).rejects.toThrow("ECONNREFUSED");
  });
});

describe("ToxiproxyServer", () => {
  test("is gone after stop, and stop is harmless when repeated", async () => {
    const server = await rig.toxiproxy();
    expect(await server.client.listProxies()).toEqual([]);
    expect(server.pid).toBeDefined();
    await server.stop();
    await server.stop();
    expect(server.pid).toBeUndefined();
  });

  test("is not taken for another one that has its port", async () => {
    const [port] = await rig.ports(1);
    await rig.toxiproxy({ port, runLabel: "first" });
    await expect(rig.toxiproxy({ port, runLabel: "second" })).rejects.toThrow(
      /^Toxiproxy \(.*\) did not start on port \d+: .*in use.*\.$/,
    );
  });

  test("that is no such program says which", async () => {
    await expect(rig.toxiproxy({ program: "/no/such/toxiproxy-server" })).rejects.toThrow(
      /\/no\/such\/toxiproxy-server\) did not start .*ENOENT/,
    );
  });
});

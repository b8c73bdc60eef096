import { setTimeout as delay } from "node:timers/promises";
import { Redis } from "ioredis";
import { createNodes } from "../../src/index.ts";
import { startRedisServers } from "../servers/redis-servers.fixture.ts";
import { describeLockNode } from "./lock-node.contract.ts";

describeLockNode("ioredis on a real redis-server", async () => {
  const started = await startRedisServers(1);
  const [url = ""] = started.urls;
  const [node] = createNodes([url]);
  if (node === undefined) throw new Error("no node was made");
  const client = new Redis(url);
  return {
    node,
    pass: (durationMs) => delay(durationMs),
    lifetimeMs: async (resource) => {
      const leftMs = await client.pttl(resource);
      return leftMs === -2 ? undefined : leftMs;
    },
    close: async () => {
      client.disconnect();
      await node.close();
      await started.close();
    },
  };
});

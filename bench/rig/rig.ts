/** Five real redis-servers, each also behind a proxy; all of it is gone after `close`, or after this process. */
import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { reservePorts } from "../../harness/backends/real/port-reservation.ts";
import {
  findRedisServer,
  findToxiproxyServer,
  requireProgram,
} from "../../harness/backends/local/programs.ts";
import type { ToxiproxyClient } from "../../harness/backends/real/proxy/toxiproxy-client.ts";
import { ToxiproxyServer } from "../../harness/backends/local/toxiproxy-server.ts";
import { RedisProcess } from "../../harness/backends/local/redis-process.ts";
import { Supervisor } from "../../harness/backends/real/supervisor/supervisor.ts";

export interface RigNode {
  readonly server: RedisProcess;
  readonly url: string;
  readonly proxyUrl: string;
  /** What the proxy in front of it is called. */
  readonly proxyName: string;
}

export interface Rig {
  readonly nodes: readonly RigNode[];
  readonly proxies: ToxiproxyClient;
  /** Ends everything. Never rejects; harmless when repeated. */
  readonly close: () => Promise<void>;
}

const NODE_COUNT = 5;
const NODE_NAMES = ["A", "B", "C", "D", "E"];
/** For each node its own and its proxy's, and the one by which the proxies are controlled. */
const PORT_COUNT = 2 * NODE_COUNT + 1;
const HOST = "127.0.0.1";

/** @throws InfrastructureError when a program is missing or does not start; nothing is left then. */
export async function openRig(): Promise<Rig> {
  const redis = requireProgram(await findRedisServer());
  const toxiproxy = requireProgram(await findToxiproxyServer());
  const closers: (() => unknown)[] = [];
  const close = async (): Promise<void> => {
    for (const closer of closers.splice(0).reverse()) await closer();
  };
  try {
    const supervisor = await Supervisor.start();
    closers.push(() => supervisor.close());
    const { ports, release } = await reservePorts(PORT_COUNT);
    closers.push(release);
    const folder = mkdtempSync(join(tmpdir(), "redlock-lab-bench-"));
    supervisor.watchFolder(folder);
    closers.push(() => rmSync(folder, { recursive: true, force: true }));

    const [controlPort = 0, ...others] = ports;
    const shared = { runLabel: `bench-${randomUUID()}`, ledger: supervisor };
    const nodes = NODE_NAMES.map((name, index) =>
      makeNode({ ...shared, name, folder, program: redis.path }, others.slice(2 * index)),
    );
    closers.push(() => Promise.all(nodes.map(({ server }) => server.stop())));
    await Promise.all(nodes.map(({ server }) => server.start()));
    const proxyServer = await ToxiproxyServer.start({
      ...shared,
      folder,
      program: toxiproxy.path,
      port: controlPort,
    });
    closers.push(() => proxyServer.stop());
    for (const node of nodes) await openProxy(node, proxyServer.client);
    return { nodes, proxies: proxyServer.client, close };
  } catch (error) {
    await close();
    throw error;
  }
}

interface NodeParts {
  readonly name: string;
  readonly folder: string;
  readonly program: string;
  readonly runLabel: string;
  readonly ledger: Supervisor;
}

function makeNode(parts: NodeParts, [port = 0, proxyPort = 0]: readonly number[]): RigNode {
  const server = new RedisProcess({
    ...parts,
    port,
    folder: join(parts.folder, parts.name),
    persistence: "none",
  });
  return {
    server,
    url: `redis://${HOST}:${port}`,
    proxyUrl: `redis://${HOST}:${proxyPort}`,
    proxyName: `node-${parts.name.toLowerCase()}`,
  };
}

async function openProxy(node: RigNode, client: ToxiproxyClient): Promise<void> {
  await client.createProxy({
    name: node.proxyName,
    listen: new URL(node.proxyUrl).host,
    upstream: `${HOST}:${node.server.port}`,
  });
}

/** The servers of one run as processes of this machine. */
import type { LimitFunction } from "p-limit";
import { LinkFaults } from "../../real/proxy/link-faults.ts";
import { allEnded } from "../../real/play/all-ended.ts";
import { linksOf, type Servers, type ServersOptions } from "../../real/play/servers.ts";
import { RedisProcess } from "../redis-process.ts";
import { ToxiproxyServer } from "../toxiproxy-server.ts";
import type { RunPrograms } from "./run-programs.ts";

export interface LocalServersOptions extends ServersOptions {
  readonly programs: RunPrograms;
  /** How many processes start at once, over all runs. */
  readonly startLimit: LimitFunction;
}

const HOST = "127.0.0.1";

/** @throws InfrastructureError when something cannot be started. */
export async function openLocalServers(options: LocalServersOptions): Promise<Servers> {
  const { ports } = options;
  const starting = startNodes(options);
  const opening = openLinks(options);
  await allEnded<unknown>([starting, opening]);
  return {
    nodes: await starting,
    links: await opening,
    counterUrl: `redis://${HOST}:${ports.counterPort}`,
    linkUrl: (worker, node) => `redis://${HOST}:${ports.linkPort(worker, node)}`,
  };
}

/** The nodes, and beside them the server of the fencing counter, which no fault touches. */
async function startNodes(options: LocalServersOptions): Promise<readonly RedisProcess[]> {
  const { plan, programs, supervisor, runLabel, folder, startLimit, closers, ports } = options;
  const serverOf = (name: string, port: number, persistence = plan.settings.persistence): RedisProcess => {
    const server = new RedisProcess({
      name,
      port,
      folder: `${folder}/${name}`,
      persistence,
      endsConnections: plan.settings.endsConnections,
      program: programs.redisServer,
      runLabel,
      ledger: supervisor,
      ...(programs.shimPath === undefined ? {} : { shimPath: programs.shimPath }),
    });
    closers.add(() => server.stop());
    return server;
  };
  const nodes = plan.nodes.map((name) => serverOf(name, ports.nodePort(name)));
  const counter = serverOf("counter", ports.counterPort, "none");
  await allEnded([...nodes, counter].map((server) => startLimit(() => server.start())));
  return nodes;
}

async function openLinks(options: LocalServersOptions): Promise<LinkFaults> {
  const { plan, programs, supervisor, runLabel, folder, startLimit, closers, ports } = options;
  const toxiproxy = await startLimit(() =>
    ToxiproxyServer.start({
      program: programs.toxiproxyServer,
      port: ports.toxiproxyPort,
      folder,
      runLabel,
      ledger: supervisor,
    }),
  );
  closers.add(() => toxiproxy.stop());
  const links = new LinkFaults(toxiproxy.client);
  await links.open(
    linksOf(plan, (worker, node) => ({
      listen: `${HOST}:${ports.linkPort(worker, node)}`,
      upstream: `${HOST}:${ports.nodePort(node)}`,
    })),
  );
  return links;
}

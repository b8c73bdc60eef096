/** A proxy before one server that can refuse, break what stands, and hold up what the server is to get. */
import { connect, createServer, type AddressInfo, type Socket } from "node:net";

export interface HoldingProxy {
  readonly url: string;
  /** What clients send from now on is kept, on each connection, until `letGo`. */
  readonly hold: () => void;
  /** What was kept goes on to the server, also for clients that have gone. */
  readonly letGo: () => void;
  /** Clients' connections are reset; the server's ends stay as they are. */
  readonly breakClients: () => void;
  /** Every connection is closed on both sides, and new ones are, until `accept`. */
  readonly refuse: () => void;
  readonly accept: () => void;
  readonly close: () => Promise<void>;
}

interface Pair {
  readonly client: Socket;
  readonly server: Socket;
  readonly kept: Buffer[];
}

export async function holdingProxy(port: number): Promise<HoldingProxy> {
  const pairs = new Set<Pair>();
  /** What comes on these is kept. */
  const held = new Set<Pair>();
  let refuses = false;
  const listener = createServer((client) => {
    client.on("error", () => undefined);
    if (refuses) {
      client.destroy();
      return;
    }
    const pair: Pair = { client, server: connect(port, "127.0.0.1"), kept: [] };
    pairs.add(pair);
    join(pair);
  });
  const join = (pair: Pair): void => {
    const { client, server, kept } = pair;
    server.on("error", () => undefined);
    server.on("data", (chunk) => {
      if (!client.destroyed) client.write(chunk);
    });
    server.on("close", () => client.destroy());
    client.on("data", (chunk: Buffer) => {
      if (held.has(pair)) kept.push(chunk);
      else server.write(chunk);
    });
    client.on("close", () => {
      if (!held.has(pair)) server.destroy();
    });
  };
  await new Promise<void>((resolve) => {
    listener.listen(0, "127.0.0.1", resolve);
  });
  const { port: ownPort } = listener.address() as AddressInfo;
  return {
    url: `redis://127.0.0.1:${String(ownPort)}`,
    hold: () => {
      for (const pair of pairs) held.add(pair);
    },
    letGo: () => {
      for (const pair of held) for (const chunk of pair.kept.splice(0)) pair.server.write(chunk);
      held.clear();
    },
    breakClients: () => {
      for (const { client } of pairs) client.resetAndDestroy();
    },
    refuse: () => {
      refuses = true;
      for (const { client, server } of pairs) {
        client.destroy();
        server.destroy();
      }
    },
    accept: () => {
      refuses = false;
    },
    close: async () => {
      for (const { client, server } of pairs) {
        client.destroy();
        server.destroy();
      }
      await new Promise((resolve) => listener.close(resolve));
    },
  };
}

/** A TCP proxy that delivers everything later, in order. */
import { createConnection, createServer, type Socket } from "node:net";
import type { AddressInfo } from "node:net";

export interface SlowProxy {
  readonly url: string;
  /** Holds up what comes from now on for so long, one way. */
  delayMs: number;
  readonly close: () => Promise<void>;
}

export async function startSlowProxy(port: number, delayMs: number): Promise<SlowProxy> {
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const upstream = createConnection(port, "127.0.0.1");
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(from);
      // Timers of one delay fire in the order in which they were set.
      from.on("data", (chunk) => setTimeout(() => to.writable && to.write(chunk), proxy.delayMs));
      from.on("error", () => undefined);
      from.on("close", () => {
        sockets.delete(from);
        to.destroy();
      });
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const proxy: SlowProxy = {
    url: `redis://127.0.0.1:${(server.address() as AddressInfo).port}`,
    delayMs,
    close: () => {
      for (const socket of sockets) socket.destroy();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
  return proxy;
}

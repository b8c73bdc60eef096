/** The protected resource as a server in the lab's own process: one JSON line a write, one a verdict. */
import { createServer, type Server, type Socket } from "node:net";
import { InfrastructureError } from "../../../lab-error.ts";
import type { WriteJudged } from "../../../history/event.ts";
import type { ProtectedResource, WriteRequest } from "../../../workload/protected-resource.ts";
import { jsonLine, onJsonLine } from "../json-lines.ts";

export interface ResourceServer {
  /** Ends the server and all connections. Never rejects. */
  close(): Promise<void>;
}

/**
 * @param onJudged called with every verdict before the writer hears of it.
 * @throws InfrastructureError when the port is taken.
 */
export async function serveResource(options: {
  readonly resource: ProtectedResource;
  readonly port: number;
  readonly onJudged: (judged: WriteJudged) => void;
}): Promise<ResourceServer> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    // A worker that is killed resets its connection; what it was told no longer matters to it.
    socket.on("error", () => socket.destroy());
    socket.on("close", () => sockets.delete(socket));
    onJsonLine(socket, (request) => {
      if (!isWriteRequest(request)) return;
      const judged = options.resource.judge(request);
      options.onJudged(judged);
      socket.write(jsonLine({ write: judged.write, accepted: judged.accepted }));
    });
  });
  await listen(server, options.port);
  return {
    close: () =>
      new Promise((resolve) => {
        for (const socket of sockets) socket.destroy();
        server.close(() => resolve());
      }),
  };
}

function listen(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", (cause) => {
      reject(
        new InfrastructureError(
          `Port ${port} is not to be had for the protected resource: ${cause.message}.`,
        ),
      );
    });
    server.listen(port, "127.0.0.1", resolve);
  });
}

function isWriteRequest(message: unknown): message is WriteRequest {
  return typeof message === "object" && message !== null && "write" in message && "hold" in message;
}

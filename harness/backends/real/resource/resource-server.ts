/**
 * The protected resource as a server in the lab's own process: one JSON line a question, one an answer. It also
 * plays the network before itself: what a worker asks can be held up on its way.
 */
import { createServer, type Server, type Socket } from "node:net";
import type { ReadJudged, WorkerId, WriteJudged } from "../../../history/event.ts";
import { InfrastructureError } from "../../../lab-error.ts";
import type { ProtectedResource } from "../../../workload/protected-resource.ts";
import { jsonLine, onJsonLine } from "../json-lines.ts";
import { isAsked, type ResourceAnswer, type ResourceQuestion } from "./resource-protocol.ts";

export interface ResourceServerOptions {
  readonly resource: ProtectedResource;
  readonly port: number;
  /** Called with every verdict before the worker hears of it. */
  readonly onJudged: (judged: WriteJudged | ReadJudged) => void;
}

interface Delay {
  readonly worker: WorkerId;
  readonly latencyMs: number;
}

export class ResourceServer {
  readonly #options: ResourceServerOptions;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  readonly #delays = new Map<string, Delay>();
  readonly #timers = new Set<NodeJS.Timeout>();

  private constructor(options: ResourceServerOptions) {
    this.#options = options;
    this.#server = createServer((socket) => {
      this.#serve(socket);
    });
  }

  /** @throws InfrastructureError when the port is taken. */
  static async start(options: ResourceServerOptions): Promise<ResourceServer> {
    const server = new ResourceServer(options);
    await listen(server.#server, options.port);
    return server;
  }

  /** From now on what this worker asks takes `latencyMs` longer to arrive. */
  slow(faultId: string, { worker, latencyMs }: Delay): void {
    this.#delays.set(faultId, { worker, latencyMs });
  }

  heal(faultId: string): void {
    this.#delays.delete(faultId);
  }

  /** Ends the server and all connections. Never rejects. */
  close(): Promise<void> {
    for (const timer of this.#timers) clearTimeout(timer);
    return new Promise((resolve) => {
      for (const socket of this.#sockets) socket.destroy();
      this.#server.close(() => resolve());
    });
  }

  #serve(socket: Socket): void {
    this.#sockets.add(socket);
    // A worker that is killed resets its connection; what it was told no longer matters to it.
    socket.on("error", () => socket.destroy());
    socket.on("close", () => this.#sockets.delete(socket));
    onJsonLine(socket, (message) => {
      if (!isAsked(message)) return;
      const { id, ...question } = message;
      this.#afterDelay(question.request.worker, () => {
        const answer = this.#answer(question);
        // What was asked arrives whatever has become of who asked.
        if (!socket.destroyed) socket.write(jsonLine({ ...answer, id }));
      });
    });
  }

  /** A worker asks one thing at a time, so that nothing overtakes anything. */
  #afterDelay(worker: WorkerId, act: () => void): void {
    let delayMs = 0;
    for (const delay of this.#delays.values()) if (delay.worker === worker) delayMs += delay.latencyMs;
    if (delayMs === 0) {
      act();
      return;
    }
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      act();
    }, delayMs);
    this.#timers.add(timer);
  }

  #answer(question: ResourceQuestion): ResourceAnswer {
    const { resource, onJudged } = this.#options;
    switch (question.kind) {
      case "write": {
        const judged = resource.judge(question.request);
        onJudged(judged);
        return { accepted: judged.accepted };
      }
      case "read": {
        const judged = resource.read(question.request);
        onJudged(judged);
        return { accepted: judged.accepted, saw: judged.saw };
      }
      case "stamp":
        resource.stamp(question.request.resource, question.request.hold);
        return { accepted: true };
    }
  }
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

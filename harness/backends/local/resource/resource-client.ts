/** A worker's connection to the protected resource. */
import { connect } from "node:net";
import type { WriteRequest } from "../../../workload/protected-resource.ts";
import { jsonLine, onJsonLine } from "../json-lines.ts";

export interface ResourceClient {
  /** Resolves to whether the resource accepted the write; rejects when the resource has gone. */
  readonly write: (request: WriteRequest) => Promise<boolean>;
}

/** @throws Error when nobody listens. */
export function connectToResource(port: number): Promise<ResourceClient> {
  return new Promise((resolve, reject) => {
    const waiting = new Map<string, (accepted: boolean) => void>();
    const socket = connect({ host: "127.0.0.1", port, noDelay: true });
    socket.once("error", reject);
    socket.once("connect", () => {
      onJsonLine(socket, (answer) => {
        if (!isAnswer(answer)) return;
        waiting.get(answer.write)?.(answer.accepted);
        waiting.delete(answer.write);
      });
      resolve({
        write: (request) =>
          new Promise((settle) => {
            waiting.set(request.write, settle);
            socket.write(jsonLine(request));
          }),
      });
    });
  });
}

function isAnswer(message: unknown): message is { readonly write: string; readonly accepted: boolean } {
  return typeof message === "object" && message !== null && "write" in message && "accepted" in message;
}

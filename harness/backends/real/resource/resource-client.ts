/** A worker's connection to the protected resource. */
import { connect } from "node:net";
import { jsonLine, onJsonLine } from "../json-lines.ts";
import { isAnswered, type ResourceAnswer, type ResourceQuestion } from "./resource-protocol.ts";

/** Resolves to what the resource said; never, when the resource has gone. */
export type AskResource = (question: ResourceQuestion) => Promise<ResourceAnswer>;

/** @throws Error when nobody listens. */
export function connectToResource(port: number): Promise<AskResource> {
  return new Promise((resolve, reject) => {
    const waiting = new Map<number, (answer: ResourceAnswer) => void>();
    let questionCount = 0;
    const socket = connect({ host: "127.0.0.1", port, noDelay: true });
    socket.once("error", reject);
    socket.once("connect", () => {
      onJsonLine(socket, (message) => {
        if (!isAnswered(message)) return;
        const { id, ...answer } = message;
        waiting.get(id)?.(answer);
        waiting.delete(id);
      });
      resolve(
        (question) =>
          new Promise((settle) => {
            questionCount += 1;
            waiting.set(questionCount, settle);
            socket.write(jsonLine({ ...question, id: questionCount }));
          }),
      );
    });
  });
}

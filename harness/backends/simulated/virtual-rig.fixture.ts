/** What tests of the virtual network need: a queue, a node with what it wrote down, and a worker's link to it. */
import type { EventBody } from "../../history/event.ts";
import { RandomStream } from "../../random/random-stream.ts";
import type { LabSettings } from "../../scenario/lab-settings.ts";
import type { KeyCommand, LabCommand, LabReply } from "../../strategies/lab-command.ts";
import { EventQueue } from "./event-queue.ts";
import { Link } from "./network/link.ts";
import { Replication } from "./node/replication.ts";
import { SimulatedNode } from "./node/simulated-node.ts";
import { VirtualProcess } from "./process/virtual-process.ts";
import { VirtualNode } from "./virtual-node.ts";

export type RigOptions = Partial<Pick<LabSettings, "persistence" | "replicaCount" | "endsConnections">>;

export function virtualRig({
  persistence = "none",
  replicaCount = 0,
  endsConnections = true,
}: RigOptions = {}) {
  const queue = new EventQueue();
  const random = RandomStream.fromSeed("1");
  const events: string[] = [];
  const record = (body: EventBody): void => {
    const { kind, ...rest } = body;
    const details = Object.values(rest).filter((value) => typeof value === "string");
    events.push([queue.nowMs, kind, ...details].join(" "));
  };
  const replication = new Replication({ queue, random: random.fork("replication"), replicaCount });
  const server = new SimulatedNode({
    ...{ name: "A", persistence, record, nowMs: () => queue.nowMs },
    onWrite: (resource, key) => replication.noteWrite(resource, key),
  });
  const afterCommand = (): void => undefined;
  const node = new VirtualNode({
    ...{ name: "A", server, replication, record, afterCommand, endsConnections },
  });
  const worker = (id: string) => {
    const process = new VirtualProcess({ id, queue, random: random.fork(id) });
    const link = new Link({ queue, process, node, random: random.fork(`link ${id}`) });
    return { process, link };
  };
  const at = (atMs: number, act: () => void): void => queue.at(atMs, act);
  const playTo = (toMs: number): void => {
    while (queue.nextAtMs <= toMs) queue.step();
    queue.passTo(toMs);
  };
  /** Sends now; the answers stand in `answers`, with the times at which they came. */
  const answers: { readonly atMs: number; readonly name: string; readonly reply: LabReply }[] = [];
  const send = (link: Link, command: LabCommand, name: string = command.kind): void =>
    link.send(command, (reply) => answers.push({ atMs: queue.nowMs, name, reply }), Infinity);
  return { queue, events, node, server, replication, worker, at, playTo, send, answers };
}

export const acquireOf = (value: string, ttlMs = 10_000): KeyCommand => ({
  kind: "acquire",
  resource: "orders",
  value,
  ttlMs,
});

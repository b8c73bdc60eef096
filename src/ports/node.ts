import type { SentCommand } from "./command.ts";
import type { NodeEvent } from "./node-event.ts";
import type { NodeReport } from "./node-facts.ts";
import type { NodeLook } from "./node-look.ts";
import type { NodeReply } from "./reply.ts";

/** One independent Redis master, as the coordinator sees it. */
export interface LockNode {
  /** The node's name in the membership (`A`, `B`, …); never its address. */
  readonly name: string;
  /**
   * Sends a command. Never throws. `settle` is called at most once, later than this call returns; silence
   * means that the answer is still on its way, on a connection that keeps the order of its commands.
   *
   * Until the first connection has been made every command is held back, and whenever a node is away those that
   * take something back are (`delete`, `end-connection`): the node is swept of ended values when it returns.
   *
   * @param untilMs monotonic time after which a command that is still held back must not be written any more; it is
   *   then settled as `unknown` and never runs. One that has passed already: it is not held back.
   */
  send(command: SentCommand, untilMs: number, settle: (reply: NodeReply) => void): void;
  /** One listener for what the node tells of itself; it never throws. A node that has nothing to tell has no such method. */
  observe?(listener: (event: NodeEvent) => void): void;
  /**
   * What the server says of itself, asked anew, within so many milliseconds; never rejects. A node without a server
   * has no such method.
   */
  askFacts?(limitMs: number): Promise<NodeReport>;
  /**
   * Looks at a resource's key and changes nothing, within so many milliseconds; never rejects. A node that cannot be
   * looked at has no such method.
   */
  look?(resource: string, limitMs: number): Promise<NodeLook>;
  /** Ends the connection. What is outstanding is settled as `unknown`. Never rejects. */
  close(): Promise<void>;
}

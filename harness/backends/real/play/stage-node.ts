/** One node of a run: the server, and the observer that watches it directly. */
import type { FaultOf } from "../../../faults/fault-families.ts";
import type { EventBody, NodeName, WorkerId } from "../../../history/event.ts";
import { InfrastructureError } from "../../../lab-error.ts";
import type { FoundKey } from "../observer/key-ledger.ts";
import type { NodeObserver } from "../observer/node-observer.ts";
import type { LinkFault, LinkFaults } from "../proxy/link-faults.ts";
import { askRedis } from "../resp/ask-redis.ts";
import type { NodeServer } from "../node-server.ts";
import { Turns } from "../turns.ts";
import { allEnded } from "./all-ended.ts";

export interface StageNodeParts {
  readonly server: NodeServer;
  readonly observer: NodeObserver;
  readonly links: LinkFaults;
  readonly workers: readonly WorkerId[];
  readonly record: (body: EventBody) => void;
}

type MeddlingFault = FaultOf<"flush-node" | "flush-scripts" | "delete-key">;

/** A node that stands still does it when it goes on. */
const MEDDLE_LIMIT_MS = 30_000;

function commandOf(fault: MeddlingFault): readonly string[] {
  switch (fault.kind) {
    case "flush-node":
      return ["FLUSHALL"];
    case "flush-scripts":
      return ["SCRIPT", "FLUSH"];
    case "delete-key":
      return ["DEL", fault.resource];
  }
}

export class StageNode {
  readonly name: NodeName;
  readonly server: NodeServer;
  readonly #observer: NodeObserver;
  readonly #links: LinkFaults;
  readonly #workers: readonly WorkerId[];
  readonly #record: (body: EventBody) => void;
  /** A process that is being started cannot be ended or exchanged before it stands. */
  readonly #turns = new Turns();
  #isStalled = false;
  /** It has been started and no kill has been sent since. */
  #isUp = true;

  constructor({ server, observer, links, workers, record }: StageNodeParts) {
    this.name = server.name;
    this.server = server;
    this.#observer = observer;
    this.#links = links;
    this.#workers = workers;
    this.#record = record;
  }

  /** Down from the moment the kill is sent; resolves when the process is gone and workers are refused. */
  goDown(cause: "killed" | "power-loss"): Promise<void> {
    return this.#turns.take(() => this.#end(cause));
  }

  /**
   * Up from the moment the server answers. Workers are let through when the observer watches again, so that
   * nothing happens on the node unseen or before it is said to be up.
   */
  comeUp(): Promise<void> {
    return this.#turns.take(() => this.#start());
  }

  /** The address leads to another, empty server. */
  exchange(): Promise<void> {
    return this.#turns.take(async () => {
      if (this.#isUp) await this.#end("killed");
      this.server.forgetAll();
      await this.#start();
    });
  }

  /**
   * Somebody who is no worker does something to the keys: when the node goes on, where it stands still; never, where
   * it is down.
   *
   * @throws InfrastructureError when a node that is up does not do it.
   */
  async meddle(fault: MeddlingFault): Promise<void> {
    if (!this.#isUp) return;
    try {
      await askRedis(this.server.port, commandOf(fault), { limitMs: MEDDLE_LIMIT_MS });
    } catch (cause) {
      // It was killed meanwhile: done or not, its keys tell.
      if (this.#isAway) return;
      throw new InfrastructureError(`Node ${this.name} did not do ${fault.kind}.`, { cause });
    }
  }

  async #end(cause: "killed" | "power-loss"): Promise<void> {
    this.#isStalled = false;
    this.#isUp = false;
    this.#record({ kind: "node-down", node: this.name, cause });
    const gone = cause === "killed" ? this.server.kill() : this.server.losePower();
    await allEnded<unknown>([gone, this.#links.apply(this.#downId, this.#cutFromAll())]);
  }

  async #start(): Promise<void> {
    // Another server may have taken its place meanwhile.
    if (this.#isUp) return;
    await this.server.start();
    this.#isUp = true;
    this.#record({ kind: "node-up", node: this.name });
    await this.#observer.watch();
    await this.#links.heal(this.#downId);
  }

  /** Where no process is there, none can be stopped. */
  stall(): Promise<void> {
    return this.#turns.take(async () => {
      if (!this.server.isRunning) return;
      this.#isStalled = true;
      await this.server.stall();
      this.#record({ kind: "node-stalled", node: this.name });
    });
  }

  resume(): Promise<void> {
    return this.#turns.take(async () => {
      if (!this.#isStalled) return;
      this.#isStalled = false;
      await this.server.resume();
      this.#record({ kind: "node-resumed", node: this.name });
    });
  }

  /**
   * The keys under test; none where the node is down or stalled: what it holds then is nobody's fault.
   *
   * @throws InfrastructureError when it should answer and does not.
   */
  async findKeys(): Promise<readonly FoundKey[]> {
    return this.#canAnswer ? await this.#observer.findKeys() : [];
  }

  /**
   * Writes down all that is still to be told of this node, and the keys that are left on it.
   *
   * @throws InfrastructureError when not everything that happened on it was seen: its history has a hole.
   */
  async lastLook(): Promise<void> {
    if (!this.#canAnswer) return;
    if (!this.#observer.isWatching || !(await this.#observer.catchUp())) {
      throw new InfrastructureError(`Node ${this.name} was lost sight of; what happened on it is not known.`);
    }
    for (const key of await this.findKeys()) {
      this.#record({ kind: "key-found", node: this.name, ...key });
    }
  }

  get #isAway(): boolean {
    return !this.#isUp;
  }

  get #canAnswer(): boolean {
    return this.server.isRunning && !this.#isStalled;
  }

  get #downId(): string {
    return `down-${this.name.toLowerCase()}`;
  }

  #cutFromAll(): LinkFault {
    return { kind: "cut-link", how: "refuse", workers: this.#workers, nodes: [this.name] };
  }
}

/**
 * The links of a run, one proxy for each pair of worker and node, and the faults on them. A fault is put on
 * under an id and taken off by it; several may lie on one link, and each one's end leaves the others in force.
 */
import type { Fault } from "../../../faults/fault.ts";
import type { NodeName, WorkerId } from "../../../history/event.ts";
import { Turns } from "../turns.ts";
import type { OneWay, Toxic, ToxiproxyClient } from "./toxiproxy-client.ts";

/**
 * What is refused has its connections closed at once. What is lost or slowed keeps them; the end of a loss
 * closes them, because half a command could have been lost.
 */
export type LinkFault = Extract<Fault, { kind: "cut-link" | "slow-link" }>;

export interface Link {
  readonly worker: WorkerId;
  readonly node: NodeName;
  /** `host:port` on which Toxiproxy listens for the worker. */
  readonly listen: string;
  /** `host:port` of the node, as Toxiproxy reaches it. */
  readonly upstream: string;
}

interface OpenLink extends Link {
  readonly proxyName: string;
  /** Ids of the faults for whose sake connections are refused. */
  readonly refusedFor: Set<string>;
  readonly turns: Turns;
}

interface AppliedFault {
  readonly fault: LinkFault;
  readonly links: readonly OpenLink[];
}

export class LinkFaults {
  readonly #client: ToxiproxyClient;
  readonly #links: OpenLink[] = [];
  readonly #applied = new Map<string, AppliedFault>();

  constructor(client: ToxiproxyClient) {
    this.#client = client;
  }

  /** Makes and opens the proxies. @throws ToxiproxyError, as every call here does when Toxiproxy fails. */
  async open(links: readonly Link[]): Promise<void> {
    const opened = links.map((link) => ({
      ...link,
      proxyName: proxyNameOf(link),
      refusedFor: new Set<string>(),
      turns: new Turns(),
    }));
    await Promise.all(
      opened.map(({ proxyName: name, listen, upstream }) =>
        this.#client.createProxy({ name, listen, upstream }),
      ),
    );
    this.#links.push(...opened);
  }

  /**
   * Puts a fault on the links between its workers and its nodes; resolves when it is in force on all of them.
   *
   * @param id kebab-case; unique among the faults that are in force.
   */
  async apply(id: string, fault: LinkFault): Promise<void> {
    if (this.#applied.has(id)) throw new Error(`the link fault ${id} is in force already`);
    const links = this.#links.filter(
      ({ worker, node }) => fault.workers.includes(worker) && fault.nodes.includes(node),
    );
    // Noted first: what a failure leaves half done can still be healed.
    this.#applied.set(id, { fault, links });
    await Promise.all(links.map((link) => link.turns.take(() => this.#applyOne(link, id, fault))));
  }

  /** Takes a fault off all its links; harmless when it is not in force. */
  async heal(id: string): Promise<void> {
    const applied = this.#applied.get(id);
    if (applied === undefined) return;
    const { fault, links } = applied;
    await Promise.all(links.map((link) => link.turns.take(() => this.#healOne(link, id, fault))));
    this.#applied.delete(id);
  }

  async #applyOne(link: OpenLink, id: string, fault: LinkFault): Promise<void> {
    if (isRefusal(fault)) {
      link.refusedFor.add(id);
      if (link.refusedFor.size === 1) await this.#client.setEnabled(link.proxyName, false);
    }
    for (const toxic of toxicsFrom(id, fault)) await this.#client.addToxic(link.proxyName, toxic);
  }

  async #healOne(link: OpenLink, id: string, fault: LinkFault): Promise<void> {
    for (const { name } of toxicsFrom(id, fault)) await this.#client.removeToxic(link.proxyName, name);
    if (link.refusedFor.delete(id) && link.refusedFor.size === 0) {
      await this.#client.setEnabled(link.proxyName, true);
    }
  }
}

/** `w1-a` for W1 and A. */
export function proxyNameOf({ worker, node }: Pick<Link, "worker" | "node">): string {
  return `${worker}-${node}`.toLowerCase();
}

/** The toxics that make up a fault on one link; none for a refusal, which is no toxic. */
export function toxicsFrom(id: string, fault: LinkFault): readonly Toxic[] {
  if (isRefusal(fault)) return [];
  return directionsOf(fault.direction ?? "both").map((direction) => {
    const name = `${id}-${direction}`;
    return fault.kind === "cut-link"
      ? { kind: "lose", name, direction }
      : { kind: "slow", name, direction, latencyMs: fault.latencyMs, jitterMs: fault.jitterMs ?? 0 };
  });
}

function isRefusal(fault: LinkFault): boolean {
  return fault.kind === "cut-link" && fault.how === "refuse";
}

function directionsOf(direction: OneWay | "both"): readonly OneWay[] {
  return direction === "both" ? ["request", "reply"] : [direction];
}

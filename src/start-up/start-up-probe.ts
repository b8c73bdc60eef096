/**
 * Asks the nodes at the first use, and until all have told, what they are. It decides nothing by itself: what is
 * wrong is judged by `judgeNodes`.
 */
import { misuse } from "../misuse.ts";
import type { LockNode } from "../ports/node.ts";
import type { NodeReport } from "../ports/node-facts.ts";
import type { MonotonicClock } from "../ports/world.ts";
import type { Finding } from "./finding.ts";
import { judgeNodes } from "./judge-nodes.ts";

interface StartUpProbeOptions {
  readonly nodes: readonly LockNode[];
  readonly clock: MonotonicClock;
  /** Whether the nodes are asked without `run`, at the first use. */
  readonly isAutomatic: boolean;
  /** How long the first use waits for what the nodes say, in milliseconds. */
  readonly firstLimitMs: number;
  /** Is told of each finding once. */
  readonly tell: (finding: Finding) => void;
}

/** Between two rounds of questions to nodes that have not told yet, or that were refused. */
const PAUSE_MS = 1000;
const NOT_ASKED = "it cannot be asked";

/** The probe of one coordinator. */
export class StartUpProbe {
  readonly #options: StartUpProbeOptions;
  readonly #reports = new Map<string, NodeReport>();
  readonly #toldKeys = new Set<string>();
  #first: Promise<void> | undefined;
  #isWaitedFor: boolean;
  #nextAtMs = 0;
  #refusals: readonly Finding[] = [];

  constructor(options: StartUpProbeOptions) {
    this.#options = options;
    this.#isWaitedFor = options.isAutomatic && options.nodes.some(canBeAsked);
  }

  /**
   * To be called before each acquire, and to be waited for where it gives something to wait for: at the first use,
   * within the first limit.
   *
   * @throws RedlockError `misuse` where no lock is safe on these nodes, now or when the promise settles.
   */
  check(): Promise<void> | undefined {
    if (this.#isWaitedFor) {
      this.#first ??= this.#askFirst();
      return this.#first;
    }
    if (this.#options.isAutomatic && this.#isDue) {
      this.#nextAtMs = this.#options.clock.nowMs() + PAUSE_MS;
      void this.#ask(this.#open, PAUSE_MS).then(this.#judge);
    }
    this.#throwIfRefused();
    return undefined;
  }

  /** Asks all nodes anew, and gives all that is found. Never rejects. */
  async run(limitMs: number): Promise<readonly Finding[]> {
    await this.#ask(this.#options.nodes, limitMs);
    return this.#judge();
  }

  async #askFirst(): Promise<void> {
    await this.#ask(this.#options.nodes, this.#options.firstLimitMs);
    this.#isWaitedFor = false;
    this.#nextAtMs = this.#options.clock.nowMs() + PAUSE_MS;
    this.#judge();
    this.#throwIfRefused();
  }

  #throwIfRefused(): void {
    if (this.#refusals.length === 0) return;
    throw misuse(this.#refusals.map(({ message }) => message).join("; "));
  }

  get #isDue(): boolean {
    return this.#open.length > 0 && this.#options.clock.nowMs() >= this.#nextAtMs;
  }

  /** Nodes to be asked again: what was refused may have been put right. */
  get #open(): readonly LockNode[] {
    if (this.#refusals.length > 0) return this.#options.nodes;
    return this.#options.nodes.filter(
      (node) => canBeAsked(node) && this.#reports.get(node.name)?.kind !== "told",
    );
  }

  async #ask(nodes: readonly LockNode[], limitMs: number): Promise<void> {
    await Promise.all(
      nodes.map(async (node) => {
        const report = await node.askFacts?.(limitMs);
        if (report !== undefined) this.#reports.set(node.name, report);
      }),
    );
  }

  readonly #judge = (): readonly Finding[] => {
    const findings = judgeNodes(
      this.#options.nodes.map(
        ({ name }) => this.#reports.get(name) ?? { kind: "unreached", node: name, cause: NOT_ASKED },
      ),
    );
    this.#refusals = findings.filter(({ severity }) => severity === "refusal");
    for (const finding of findings) this.#tellOnce(finding);
    return findings;
  };

  /** A node that is away is told of by its votes, and by observers of its connection. */
  #tellOnce(finding: Finding): void {
    const key = `${finding.code} ${finding.message}`;
    if (finding.code === "unreached" || this.#toldKeys.has(key)) return;
    this.#toldKeys.add(key);
    this.#options.tell(finding);
  }
}

/** Nodes of a user's own, or of a test, may have no server behind them. */
function canBeAsked(node: LockNode): boolean {
  return "askFacts" in node;
}

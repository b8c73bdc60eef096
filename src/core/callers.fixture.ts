/** One process with its lines, in the virtual world; each caller has a number. */
import { acquireInTurn, type GrantInTurn, type OutcomeInTurn } from "./acquire-in-turn.ts";
import { releaseInTurn } from "./hand-over.ts";
import type { ReleaseOutcome } from "./release.ts";
import { rulesOf } from "./rules.fixture.ts";
import { type FateOf, PROMPT, VirtualWorld } from "./virtual-world.fixture.ts";
import { Waiters } from "./waiters.ts";

export const TTL_MS = 1000;

export class Callers {
  readonly world: VirtualWorld;
  readonly waiters = new Waiters();
  readonly outcomes = new Map<number, OutcomeInTurn & { readonly atMs: number }>();
  readonly granted: number[] = [];
  readonly releases: ReleaseOutcome[] = [];
  onGrant: (caller: number, grant: GrantInTurn) => void = () => undefined;

  constructor(fateOf: FateOf = () => PROMPT) {
    this.world = new VirtualWorld({ nodeCount: 5, fateOf });
  }

  acquire(caller: number, { waitMs = 0, resource = "orders", atMs = 0 } = {}): void {
    this.world.at(atMs, () => {
      const request = { resource, ttlMs: TTL_MS, waitMs };
      this.world.start(1, acquireInTurn(request, rulesOf(), this.waiters), (outcome) => {
        this.outcomes.set(caller, { ...outcome, atMs: this.world.nowMs });
        if (outcome.kind === "failed") return;
        this.granted.push(caller);
        this.onGrant(caller, outcome);
      });
    });
  }

  release({ belief, round, turn }: GrantInTurn): void {
    const held = { belief, acquired: round, longestTtlMs: TTL_MS };
    this.world.start(1, releaseInTurn(held, { turn, waiters: this.waiters }, rulesOf()), (outcome) => {
      this.releases.push(outcome);
    });
  }

  /** Each holder lets go so long after its grant. */
  releaseAfter(holdMs: number): void {
    this.onGrant = (_caller, grant) => {
      this.world.at(this.world.nowMs + holdMs, () => this.release(grant));
    };
  }

  outcomeOf(caller: number): string | undefined {
    const outcome = this.outcomes.get(caller);
    return outcome?.kind === "failed" ? outcome.code : outcome?.kind;
  }

  acquiresSent(): number {
    return this.world.sent.filter(({ command, nodeIndex }) => command.kind === "acquire" && nodeIndex === 0)
      .length;
  }
}

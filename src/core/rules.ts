import type { GuardTerms } from "../ports/command.ts";
import type { Backoff } from "./backoff.ts";

/** What all rounds of one coordinator have in common. */
export interface Rules {
  /** The configured membership, in the order of the driver's nodes. */
  readonly nodeNames: readonly string[];
  /** Votes that win a round; a majority of the membership at least. */
  readonly quorum: number;
  /** How long a round waits for a silent node. */
  readonly nodeTimeoutMs: number;
  /** Share of the TTL given up for clocks that run apart, 0 to 0.5. */
  readonly driftFactor: number;
  readonly backoff: Backoff;
  /** The longest time for which a command may be under way; an undo is repeated for that long beyond the TTL. */
  readonly longestDelayMs: number;
  /** What nodes have to say before they vote (design rule 8); `undefined`: the restart guard is off. */
  readonly guard: GuardTerms | undefined;
  /** What happens where no node has a guard yet: `trust` skips the quarantine (trust-first-use.ts). */
  readonly firstUse: "wait" | "trust";
}

/** A way to lock that can be put on trial: the coordinator's own procedures, with rules or effects of theirs bent. */
import type { AcquireOutcome, AcquireRequest } from "../../src/core/acquire.ts";
import type { Belief } from "../../src/core/belief.ts";
import type { ExtendOutcome } from "../../src/core/extend.ts";
import type { Held, ReleaseOutcome } from "../../src/core/release.ts";
import type { Round } from "../../src/core/round.ts";
import type { Rules } from "../../src/core/rules.ts";
import type { Procedure } from "../../src/ports/effect.ts";
import type { LabSettings } from "../scenario/lab-settings.ts";
import type { LabProcedure } from "./lab-effect.ts";

/** One call into the coordinator. */
export interface Call<Outcome> {
  readonly rules: Rules;
  /** The shipped procedure of the call, under these rules. */
  readonly shipped: (rules: Rules) => Procedure<Outcome>;
  /** How many nodes the worker has a connection to. */
  readonly visibleCount: number;
  readonly memory: StrategyMemory;
}

export interface ReleaseCall extends Call<ReleaseOutcome> {
  readonly held: Held;
  /** As the call has it, or of what is held as somebody else tells it. */
  readonly shipped: (rules: Rules, held?: Held) => Procedure<ReleaseOutcome>;
}

/** What a worker's strategy may keep from call to call. */
export interface StrategyMemory {
  /** The round of the attempt that was made last. */
  latestRound: Round | undefined;
}

export interface Strategy {
  /** Kebab-case; a mutant's begins with `mutant:`. */
  readonly name: string;
  /** One sentence. */
  readonly summary: string;
  /** What it needs the laboratory to be like, where it is put on trial in stories that were not told for it. */
  readonly settings?: (told: LabSettings) => LabSettings;
  /** The clock that deadlines are read on; default `monotonic`. */
  readonly clock?: "wall";
  /** Renewal goes on beyond its limit. */
  readonly renewsForEver?: true;
  /** The rules of all calls. */
  readonly rules?: (rules: Rules) => Rules;
  readonly acquire?: (
    call: Call<AcquireOutcome> & { readonly request: AcquireRequest },
  ) => LabProcedure<AcquireOutcome>;
  readonly extend?: (
    call: Call<ExtendOutcome> & { readonly belief: Belief; readonly ttlMs: number },
  ) => LabProcedure<ExtendOutcome>;
  readonly release?: (call: ReleaseCall) => LabProcedure<ReleaseOutcome>;
}

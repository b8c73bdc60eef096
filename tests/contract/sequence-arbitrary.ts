/**
 * Sequences drawn so that commands meet: few keys, few values, lifetimes and passing times of the same few
 * milliseconds, so that a key is often asked for at the very millisecond in which it ends.
 */
import { fc } from "@fast-check/vitest";
import type { LockCommand } from "../../src/ports/command.ts";
import type { NodeCommand, ScriptCommand } from "../../harness/backends/simulated/node/node-command.ts";
import {
  type ClockMove,
  type ContractStep,
  type HoldSync,
  RESOURCES,
  type Restart,
} from "./contract-step.ts";

const STEPS_MAX = 40;
const STEPS_BETWEEN_RESTARTS_MAX = 15;
const RESTARTS_MAX = 4;
const SHORT_MS_MAX = 12;
const HOUR_MS = 3_600_000;
/** Its sum with any time shown is still a whole number of JavaScript. */
const HUGE_TTL_MS = 2 ** 52;

const resource = fc.constantFrom(...RESOURCES);
const value = fc.constantFrom("v1", "v2", "", "ä\r\n$3");
const shortMs = fc.integer({ min: 1, max: SHORT_MS_MAX });
const ttlMs = fc.oneof(
  { weight: 6, arbitrary: shortMs },
  { weight: 2, arbitrary: fc.constantFrom(1, 999, 1_000, HOUR_MS) },
  { weight: 1, arbitrary: fc.constant(HUGE_TTL_MS) },
);

const acquire = fc.record({ kind: fc.constant("acquire" as const), resource, value, ttlMs });
const extend = fc.record({ kind: fc.constant("extend" as const), resource, value, ttlMs });
const remove = fc.record({ kind: fc.constant("delete" as const), resource, value });
const lockCommand: fc.Arbitrary<LockCommand> = fc.oneof(
  { weight: 2, arbitrary: acquire },
  { weight: 2, arbitrary: extend },
  { weight: 1, arbitrary: remove },
);
const script: fc.Arbitrary<ScriptCommand> = fc.oneof(extend, remove);

const strangersCommand: fc.Arbitrary<NodeCommand> = fc.oneof(
  fc.record({ kind: fc.constant("call-cached" as const), script }),
  fc.record({ kind: fc.constant("write" as const), resource, value }),
  fc.record({ kind: fc.constant("write" as const), resource, value, ttlMs }),
  fc.record({ kind: fc.constant("remove" as const), resource }),
);
const question: fc.Arbitrary<NodeCommand> = fc.oneof(
  fc.record({ kind: fc.constant("read" as const), resource }),
  fc.record({ kind: fc.constant("lifetime" as const), resource }),
  fc.constant<NodeCommand>({ kind: "time" }),
  fc.constant<NodeCommand>({ kind: "info" }),
);
const flush = fc.constantFrom<NodeCommand>({ kind: "flush-all" }, { kind: "flush-scripts" });

const pass = fc.record({
  kind: fc.constant("pass" as const),
  durationMs: fc.oneof({ weight: 5, arbitrary: shortMs }, fc.constantFrom(500, 1_000, 2_500)),
});
const clockMove: fc.Arbitrary<ClockMove> = fc.oneof(
  { weight: 6, arbitrary: pass },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant("jump-clock" as const),
      byMs: fc.oneof(
        fc.integer({ min: -SHORT_MS_MAX, max: SHORT_MS_MAX }),
        fc.constantFrom(-HOUR_MS, -1_000, 1_000, HOUR_MS),
      ),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant("set-clock-rate" as const),
      rate: fc.constantFrom(0.5, 0.9, 1, 1.1, 1.001, 2),
    }),
  },
);

const step: fc.Arbitrary<ContractStep> = fc.oneof(
  { weight: 10, arbitrary: lockCommand },
  { weight: 4, arbitrary: strangersCommand },
  { weight: 4, arbitrary: question },
  { weight: 1, arbitrary: flush },
  { weight: 6, arbitrary: clockMove },
);

/** What one server can answer without being restarted. */
export const commandSequence: fc.Arbitrary<readonly ContractStep[]> = fc.array(step, {
  minLength: 1,
  maxLength: STEPS_MAX,
  size: "max",
});

const restart: fc.Arbitrary<Restart> = fc.record({
  kind: fc.constant("restart" as const),
  cause: fc.constantFrom("killed" as const, "power-loss" as const),
  whileDown: fc.array(clockMove, { maxLength: 2 }),
});

const holdSync: fc.Arbitrary<HoldSync> = fc.record({
  kind: fc.constant("hold-sync" as const),
  isHeld: fc.boolean(),
});

/** What decides which writes are on disk, often enough that it decides something. */
const stepBetweenRestarts: fc.Arbitrary<ContractStep> = fc.oneof(
  { weight: 4, arbitrary: step },
  { weight: 2, arbitrary: strangersCommand },
  { weight: 1, arbitrary: fc.constant<ContractStep>({ kind: "flush-all" }) },
  { weight: 2, arbitrary: fc.constant<ContractStep>({ kind: "pass", durationMs: 1_000 }) },
  { weight: 1, arbitrary: holdSync },
);
const stepsBetweenRestarts = fc.array(stepBetweenRestarts, {
  maxLength: STEPS_BETWEEN_RESTARTS_MAX,
  size: "max",
});

/** Lives of one server, each ended by a restart. */
export const restartSequence: fc.Arbitrary<readonly ContractStep[]> = fc
  .array(
    fc.tuple(stepsBetweenRestarts, restart).map(([steps, end]): readonly ContractStep[] => [...steps, end]),
    {
      minLength: 1,
      maxLength: RESTARTS_MAX,
    },
  )
  .map((lives) => lives.flat());

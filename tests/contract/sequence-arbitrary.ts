/**
 * Sequences drawn so that commands meet: few keys, few values, lifetimes and passing times of the same few
 * milliseconds, so that a key is often asked for at the very millisecond in which it ends.
 */
import fc from "fast-check";
import { GUARD_KEY, membershipOf, QUARANTINE_KEY } from "../../src/core/guard-record.ts";
import type { LockCommand, Target } from "../../src/ports/command.ts";
import type { NodeCommand, ScriptCommand } from "../../harness/backends/simulated/node/node-command.ts";
import {
  type ClockMove,
  type ContractStep,
  type HoldSync,
  RESOURCES,
  type Restart,
} from "./contract-step.ts";

const STEPS_MAX = 40;
const STEPS_IN_LIFE_MAX = 10;
const LIVES_MAX = 3;
const SHORT_MS_MAX = 12;
const HOUR_MS = 3_600_000;
/** Its sum with any time shown is still a whole number of JavaScript. */
const HUGE_TTL_MS = 2 ** 52;

const INFO: NodeCommand = { kind: "info" };
const isA = <Kind extends ContractStep["kind"]>(kind: Kind): fc.Arbitrary<Kind> => fc.constant(kind);

const resource = fc.constantFrom(...RESOURCES);
const value = fc.constantFrom("v1", "v2", "", "ä\r\n$3");
const shortMs = fc.integer({ min: 1, max: SHORT_MS_MAX });
const ttlMs = fc.oneof(
  { weight: 6, arbitrary: shortMs },
  { weight: 2, arbitrary: fc.constantFrom(1, 999, 1_000, HOUR_MS) },
  { weight: 1, arbitrary: fc.constant(HUGE_TTL_MS) },
);

/** Mostly one resource; several in one step, all or nothing. */
const target = fc.oneof(
  { weight: 5, arbitrary: fc.record({ resource }) },
  {
    weight: 1,
    arbitrary: fc
      .subarray([...RESOURCES], { minLength: 1 })
      .map(([first = "", ...others]) => ({ resource: first, others })),
  },
);
/** Mostly nothing; an ended value that is taken for nobody's. */
const replaces = fc.oneof({ weight: 4, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: value });

const longestLifetimeMs = 15;
const terms = fc.oneof(
  { weight: 6, arbitrary: fc.constant({ membership: membershipOf(["A", "B", "C"]), longestLifetimeMs }) },
  fc.constant({ membership: membershipOf(["A", "ä \r\n"]), longestLifetimeMs }),
  fc.constant({ membership: membershipOf(["A", "B", "C"]), longestLifetimeMs: 1_000 }),
);

const acquire = withTarget(fc.record({ kind: isA("acquire"), value, ttlMs, replaces }));
const extend = withTarget(fc.record({ kind: isA("extend"), value, ttlMs }));
const guardedCommand = fc.oneof(
  withTarget(fc.record({ kind: isA("acquire"), value, ttlMs, replaces, guard: terms })),
  withTarget(fc.record({ kind: isA("extend"), value, ttlMs, guard: terms })),
  fc.record({ kind: isA("trust"), guard: terms }),
  fc.record({ kind: isA("survey") }),
);
const remove = withTarget(fc.record({ kind: isA("delete"), value }));
const lockCommand: fc.Arbitrary<LockCommand> = fc.oneof(
  { weight: 2, arbitrary: acquire },
  { weight: 2, arbitrary: extend },
  { weight: 1, arbitrary: remove },
);
/** Somebody else meddles with the guard. */
const guardsStranger: fc.Arbitrary<NodeCommand> = fc.oneof(
  fc.record({ kind: isA("remove"), resource: fc.constantFrom(GUARD_KEY, QUARANTINE_KEY) }),
  fc.record({ kind: isA("write"), resource: fc.constantFrom(GUARD_KEY, QUARANTINE_KEY), value }),
  fc.record({ kind: isA("write"), resource: fc.constant(QUARANTINE_KEY), value, ttlMs: shortMs }),
);
const script: fc.Arbitrary<ScriptCommand> = fc.oneof(extend, remove);

const strangersCommand: fc.Arbitrary<NodeCommand> = fc.oneof(
  fc.record({ kind: isA("call-cached"), script }),
  fc.record({ kind: isA("write"), resource, value }),
  fc.record({ kind: isA("write"), resource, value, ttlMs }),
  fc.record({ kind: isA("remove"), resource }),
);
const question: fc.Arbitrary<NodeCommand> = fc.oneof(
  fc.record({ kind: isA("read"), resource }),
  fc.record({ kind: isA("lifetime"), resource }),
  fc.constant<NodeCommand>({ kind: "time" }),
  fc.constant(INFO),
);
const flush = fc.constantFrom<NodeCommand>({ kind: "flush-all" }, { kind: "flush-scripts" });

const pass = fc.record({
  kind: isA("pass"),
  durationMs: fc.oneof({ weight: 5, arbitrary: shortMs }, fc.constantFrom(500, 1_000, 2_500)),
});
const clockMove: fc.Arbitrary<ClockMove> = fc.oneof(
  { weight: 6, arbitrary: pass },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: isA("jump-clock"),
      byMs: fc.oneof(
        fc.integer({ min: -SHORT_MS_MAX, max: SHORT_MS_MAX }),
        fc.constantFrom(-HOUR_MS, -1_000, 1_000, HOUR_MS),
      ),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: isA("set-clock-rate"),
      rate: fc.constantFrom(0.5, 0.9, 1, 1.1, 1.001, 2),
    }),
  },
);

const step: fc.Arbitrary<ContractStep> = fc.oneof(
  { weight: 10, arbitrary: lockCommand },
  { weight: 6, arbitrary: guardedCommand },
  { weight: 1, arbitrary: guardsStranger },
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
  kind: isA("restart"),
  cause: fc.constantFrom("killed", "power-loss"),
  whileDown: fc.array(clockMove, { maxLength: 2 }),
});

const holdSync: fc.Arbitrary<HoldSync> = fc.record({
  kind: isA("hold-sync"),
  isHeld: fc.boolean(),
});

/** What decides which writes are on disk: some writes and removals in a second, and the turn of it. */
const syncStep: fc.Arbitrary<ContractStep> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: isA("write"), resource, value }) },
  {
    weight: 2,
    arbitrary: fc.record({ kind: isA("write"), resource, value, ttlMs: fc.constantFrom(5, 999) }),
  },
  { weight: 2, arbitrary: fc.record({ kind: isA("remove"), resource }) },
  { weight: 2, arbitrary: fc.constant({ kind: "flush-all" } as const) },
  {
    weight: 4,
    arbitrary: fc.record({ kind: isA("pass"), durationMs: fc.constantFrom(10, 500, 1_000, 2_500) }),
  },
  { weight: 1, arbitrary: fc.record({ kind: isA("jump-clock"), byMs: fc.constantFrom(-1_000, 1_000) }) },
  { weight: 1, arbitrary: holdSync },
);

const LIFE = { maxLength: STEPS_IN_LIFE_MAX, size: "max" } as const;

/** A life of a server; its identity is asked for in each, for it must change. */
const life = fc
  .tuple(fc.oneof(fc.array(step, LIFE), fc.array(syncStep, LIFE)), restart)
  .map(([steps, end]): readonly ContractStep[] => [...steps, INFO, end]);

/** Lives of one server, one after the other. */
export const restartSequence: fc.Arbitrary<readonly ContractStep[]> = fc
  .array(life, { minLength: 1, maxLength: LIVES_MAX, size: "max" })
  .map((lives) => [...lives.flat(), INFO]);

function withTarget<Command extends object>(command: fc.Arbitrary<Command>): fc.Arbitrary<Command & Target> {
  return fc.tuple(command, target).map(([drawn, on]) => ({ ...drawn, ...on }));
}

/**
 * The procedures under drawn orders of replies, losses, delays and pauses. No node forgets and no clock is
 * wrong here, so the envelope of docs/guarantees holds and the rules must hold after every step.
 */
import { fc, test } from "@fast-check/vitest";
import { describe, expect } from "vitest";
import { acquire } from "./acquire.ts";
import type { Belief } from "./belief.ts";
import { extend } from "./extend.ts";
import { majorityOf } from "./quorum.ts";
import { release } from "./release.ts";
import type { Round } from "./round.ts";
import { rulesOf } from "./rules.fixture.ts";
import { type Fate, VirtualWorld } from "./virtual-world.fixture.ts";

const TTL_MS = 200;
const END_MS = 5000;
const CLIENTS = [1, 2, 3];

const delays = fc.oneof(
  { weight: 6, arbitrary: fc.integer({ min: 0, max: 10 }) },
  { weight: 2, arbitrary: fc.integer({ min: 10, max: 300 }) },
  { weight: 1, arbitrary: fc.constant("lost" as const) },
);
const schedules = fc.record({
  nodeCount: fc.constantFrom(3, 4, 5),
  extraVotes: fc.constantFrom(0, 0, 1),
  fates: fc.array(fc.record({ requestMs: delays, replyMs: delays }), { minLength: 1, maxLength: 60 }),
  fractions: fc.array(fc.double({ min: 0, max: 0.999, noNaN: true }), { minLength: 1, maxLength: 10 }),
  pauses: fc.array(
    fc.record({
      client: fc.constantFrom(...CLIENTS),
      atMs: fc.integer({ min: 0, max: 800 }),
      forMs: fc.integer({ min: 1, max: 500 }),
    }),
    { maxLength: 4 },
  ),
  plans: fc.tuple(
    ...CLIENTS.map(() =>
      fc.array(
        fc.record({
          idleMs: fc.integer({ min: 0, max: 100 }),
          waitMs: fc.constantFrom(0, 50, 400),
          extendTtlMs: fc.constantFrom(0, 50, TTL_MS, 2 * TTL_MS),
          workMs: fc.integer({ min: 0, max: 250 }),
          releases: fc.boolean(),
        }),
        { minLength: 1, maxLength: 4 },
      ),
    ),
  ),
});

type Schedule = typeof schedules extends fc.Arbitrary<infer Drawn> ? Drawn : never;
type Cycle = Schedule["plans"][number][number];

/** Plays a schedule and asserts the rules whenever something is sent or decided. */
class Trial {
  readonly world: VirtualWorld;
  readonly beliefs: Belief[] = [];
  readonly #rules;

  constructor(schedule: Schedule) {
    const { nodeCount, fates, fractions } = schedule;
    this.#rules = rulesOf({
      nodeNames: ["A", "B", "C", "D", "E"].slice(0, nodeCount),
      quorum: Math.min(nodeCount, majorityOf(nodeCount) + schedule.extraVotes),
      longestDelayMs: 1000,
    });
    this.world = new VirtualWorld({
      nodeCount,
      fractions,
      fateOf: (_sent, count): Fate => fates[count % fates.length] ?? { requestMs: 1, replyMs: 1 },
    });
    this.world.onSend = ({ command }) => {
      this.assertOneBelief();
      const belief = this.beliefs.find(({ value }) => value === command.value);
      // Rule 4: deletes touch ended values only. Rule 7: after its end nothing raises a value.
      if (command.kind === "delete") expect(belief?.remainingMs(this.world.nowMs) ?? 0).toBe(0);
      if (command.kind === "extend") expect(belief?.isOver(this.world.nowMs)).toBe(false);
      // A value that is believed in already is sent again to nodes that have lost it, and never afterwards.
      if (command.kind === "acquire") expect(belief?.isOver(this.world.nowMs) ?? false).toBe(false);
    };
    for (const pause of schedule.pauses) {
      this.world.at(pause.atMs, () => {
        this.world.pause(pause.client, pause.atMs + pause.forMs);
      });
    }
    schedule.plans.forEach((cycles, index) => {
      this.#play(CLIENTS[index] ?? 0, cycles);
    });
  }

  /** No two clients believe at once: the belief of each is the span until its own deadline. */
  assertOneBelief(): void {
    const { nowMs } = this.world;
    const believing = this.beliefs.filter((belief) => !belief.isOver(nowMs));
    if (believing.length > 1) expect(believing).toHaveLength(1);
  }

  #play(client: number, [cycle, ...later]: readonly Cycle[]): void {
    if (cycle === undefined) return;
    const { world } = this;
    const request = { resource: "orders", ttlMs: TTL_MS, waitMs: cycle.waitMs };
    world.at(world.nowMs + cycle.idleMs, () => {
      const sentBefore = world.sent.length;
      world.start(client, acquire(request, this.#rules), (outcome) => {
        const sent = world.sent
          .slice(sentBefore)
          .filter((one) => one.client === client && !this.#isBelieved(one.command.value));
        if (outcome.kind === "failed") {
          this.#assertUndone(
            sent.map(({ command, nodeIndex }) => `${command.kind} ${command.value} ${String(nodeIndex)}`),
          );
          this.#play(client, later);
          return;
        }
        expect(outcome.round.grantedCount).toBeGreaterThanOrEqual(this.#rules.quorum);
        expect(outcome.belief.isOver(world.nowMs)).toBe(false);
        this.beliefs.push(outcome.belief);
        this.assertOneBelief();
        this.#hold(client, { belief: outcome.belief, acquired: outcome.round, cycle }, later);
      });
    });
  }

  /** What is sent of it is a re-seed. */
  #isBelieved(value: string): boolean {
    return this.beliefs.some((belief) => belief.value === value);
  }

  /** Rule 4: every node that was sent an acquire of a lost attempt was sent its undo. */
  #assertUndone(sent: readonly string[]): void {
    for (const line of sent) {
      if (line.startsWith("acquire")) expect(sent).toContain(line.replace("acquire", "delete"));
    }
  }

  #hold(
    client: number,
    held: { readonly belief: Belief; readonly acquired: Round; readonly cycle: Cycle },
    later: readonly Cycle[],
  ): void {
    const { world } = this;
    const { belief, acquired, cycle } = held;
    const before = belief.deadlineMs;
    if (cycle.extendTtlMs > 0) {
      world.start(client, extend(belief, cycle.extendTtlMs, this.#rules), (outcome) => {
        expect(belief.deadlineMs).toBeGreaterThanOrEqual(before);
        if (outcome.kind === "extended") expect(belief.isOver(world.nowMs)).toBe(false);
        else expect(belief.isOver(world.nowMs)).toBe(true);
      });
    }
    world.at(world.nowMs + cycle.workMs, () => {
      this.assertOneBelief();
      if (cycle.releases)
        world.start(
          client,
          release({ belief, acquired, longestTtlMs: 2 * TTL_MS }, this.#rules),
          () => undefined,
        );
      this.#play(client, later);
    });
  }
}

describe("the procedures under drawn schedules", () => {
  test.prop([schedules], { numRuns: 300 })(
    "never two beliefs at once, and every rule after every step (peers N7)",
    (schedule) => {
      const trial = new Trial(schedule);
      trial.world.onStep = () => {
        trial.assertOneBelief();
      };
      trial.world.runUntil(END_MS);
    },
  );

  test.prop([schedules], { numRuns: 100 })("afterwards no node holds a key of an ended value", (schedule) => {
    const trial = new Trial(schedule);
    trial.world.runUntil(END_MS * 4);
    for (const keys of trial.world.nodes) {
      for (const key of keys.values()) expect(key.expiresAtMs).toBeLessThanOrEqual(trial.world.nowMs);
    }
  });
});

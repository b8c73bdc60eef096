import { describe, expect, test } from "vitest";
import { playSimulatedRun } from "../../backends/simulated/simulated-run.ts";
import type { Bound } from "./bound.ts";
import { boundariesOf } from "./boundaries.ts";
import { planOf } from "./small-world.ts";
import { startsOf, walkFrom } from "./walk.ts";

const BOUND: Bound = { nodeCount: 3, faultsMax: 0, unpromptMax: 0, allow: [], strategy: "redlock" };

/** Every set of at most two messages that are late or lost, whether the messages are ever sent or not. */
function naiveFates(messageCount: number, unpromptMax: number): readonly string[] {
  const fates = ["late", "lost"] as const;
  const singles = Array.from({ length: messageCount }, (_, message) =>
    fates.map((fate) => ({ message, fate })),
  ).flat();
  const pairs = singles.flatMap((one) =>
    singles.filter(({ message }) => message > one.message).map((two) => [one, two]),
  );
  const sets = [[], ...singles.map((one) => [one]), ...(unpromptMax > 1 ? pairs : [])];
  return sets.map((set) => JSON.stringify(set));
}

describe("walkFrom", () => {
  test.each([1, 2])(
    "with %d unprompt messages meets what a naive enumeration plays, each once",
    (unpromptMax) => {
      const bound = { ...BOUND, unpromptMax };
      const [start] = startsOf(bound);
      const walked = [...walkFrom(start!, bound)].map(({ plan }) => JSON.stringify(plan.messages?.unprompt));
      const sent = (unprompt: string) => {
        const plan = planOf({ start: start!, faults: [], unprompt: JSON.parse(unprompt) }, bound);
        return playSimulatedRun(plan).messageCount;
      };
      const possible = naiveFates(60, unpromptMax).filter((unprompt) => {
        const named: readonly { message: number }[] = JSON.parse(unprompt);
        return named.every(({ message }, place) => message < sent(JSON.stringify(named.slice(0, place))));
      });

      expect(new Set(walked).size).toBe(walked.length);
      expect(walked.toSorted()).toEqual([...possible].toSorted());
    },
  );

  test("inside the envelope nothing unsafe is met, and with a machine that is suspended something is", () => {
    const isFound = (bound: Bound, starts: number): boolean =>
      startsOf(bound)
        .slice(0, starts)
        .some((start) => {
          for (const { judged } of walkFrom(start, bound)) if (judged.finding?.kind === "unsafe") return true;
          return false;
        });

    expect(isFound({ ...BOUND, faultsMax: 1 }, 3)).toBe(false);
    expect(isFound({ ...BOUND, faultsMax: 1, allow: ["suspend"] }, Infinity)).toBe(true);
  });
});

describe("boundariesOf", () => {
  test("every boundary is met when the plan is played again with a fault there", () => {
    const [start] = startsOf(BOUND);
    const { events } = playSimulatedRun(planOf({ start: start!, faults: [], unprompt: [] }, BOUND));
    const boundaries = boundariesOf(events);

    expect(boundaries.length).toBeGreaterThan(20);
    for (const { when, after } of boundaries) {
      const faults = [{ id: "f1", when, fault: { kind: "flush-scripts", node: "A" } as const }];
      const again = playSimulatedRun(planOf({ start: start!, faults, unprompt: [] }, BOUND)).events;
      const applied = again.findIndex(({ kind }) => kind === "fault-applied");
      expect(again[applied - 1]?.seq, JSON.stringify(when)).toBe(after.seq);
    }
  });
});

import { fc, test as property } from "@fast-check/vitest";
import { describe, expect } from "vitest";
import type { EventBody } from "./event.ts";
import { eventsOf, hasEvent } from "./events-of.ts";
import { historyOf } from "./history.fixture.ts";

const bodies = fc.constantFrom<EventBody>(
  { kind: "node-up", node: "A" },
  { kind: "node-stalled", node: "B" },
  { kind: "run-ended" },
);

describe("events of one kind", () => {
  property.prop([fc.array(bodies, { maxLength: 20 })])(
    "are those that a look at all of them finds",
    (all) => {
      const history = historyOf(all.map((body, index) => [index, body]));
      for (const kind of ["node-up", "node-stalled", "run-ended"] as const) {
        const expected = history.events.filter((event) => event.kind === kind);

        expect(eventsOf(history, kind)).toEqual(expected);
        expect(hasEvent(history, kind)).toBe(expected.length > 0);
      }
    },
  );
});

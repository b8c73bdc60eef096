import { fc, test as property } from "@fast-check/vitest";
import { describe, expect, test } from "vitest";
import { type At, historyOf, hold } from "../history/history.fixture.ts";
import { findLostUpdates } from "./lost-updates.ts";

interface Written {
  readonly name: string;
  /** Absent: the writer had read nothing. */
  readonly basedOn?: string | null;
  readonly accepted?: boolean;
  readonly acknowledged?: boolean;
  readonly resource?: string;
}

const HOLD = hold("W1/1", { at: 5 });

function historyFrom(writes: readonly Written[]) {
  const same = { worker: "W1", hold: "W1/1" };
  return historyOf([
    ...HOLD,
    ...writes.flatMap(
      ({ name, basedOn, accepted = true, acknowledged = true, resource = "orders" }, index) => {
        const judged: At = [
          10 * index + 10,
          {
            ...{ kind: "write-judged", ...same, resource, write: name, accepted, acceptedIfFenced: accepted },
            ...(basedOn === undefined ? {} : { basedOn }),
          },
        ];
        const returned: At = [10 * index + 11, { kind: "write-returned", ...same, write: name, accepted }];
        return acknowledged ? [judged, returned] : [judged];
      },
    ),
  ]);
}

const lostIn = (writes: readonly Written[]): readonly string[] =>
  findLostUpdates(historyFrom(writes)).map(({ sentence }) => sentence.split(" ")[4] ?? "");

describe("findLostUpdates", () => {
  test("each writer had read the write before: nothing is lost", () => {
    expect(
      lostIn([
        { name: "a", basedOn: null },
        { name: "b", basedOn: "a" },
        { name: "c", basedOn: "b" },
      ]),
    ).toEqual([]);
  });

  test("S41: a write by somebody who had read before the last one", () => {
    const [evidence] = findLostUpdates(
      historyFrom([
        { name: "a", basedOn: null },
        { name: "b", basedOn: "a" },
        { name: "c", basedOn: "a" },
      ]),
    );

    expect(evidence).toMatchObject({
      sentence:
        "orders lost the write b of W1 (W1/1), which it had acknowledged: W1 (W1/1) wrote at 30 without having read it",
      fromMs: 20,
      toMs: 30,
    });
  });

  test("a write that was refused, or that nobody was told of, is not missed", () => {
    const first = { name: "a", basedOn: null };
    const last = { name: "c", basedOn: "a" };

    expect(lostIn([first, { name: "b", basedOn: "a", accepted: false }, last])).toEqual([]);
    expect(lostIn([first, { name: "b", basedOn: "a", acknowledged: false }, last])).toEqual([]);
  });

  test("who had read nothing replaces everything on purpose", () => {
    expect(lostIn([{ name: "a", basedOn: null }, { name: "b" }, { name: "c", basedOn: "b" }])).toEqual([]);
    expect(lostIn([{ name: "a" }, { name: "b" }])).toEqual([]);
  });

  test("resources have nothing to do with one another", () => {
    expect(
      lostIn([
        { name: "a", basedOn: null },
        { name: "b", basedOn: null, resource: "bills" },
      ]),
    ).toEqual([]);
  });
});

property.prop([fc.array(fc.nat(), { maxLength: 12 })])(
  "what is lost is what a list that each writer replaced would lack",
  (picks) => {
    const contents = new Map<string | null, readonly string[]>([[null, []]]);
    const writes = picks.map((pick, index): Written => {
      const known = [...contents.keys()];
      const basedOn = known[pick % known.length] ?? null;
      const name = `w${index}`;
      contents.set(name, [...(contents.get(basedOn) ?? []), name]);
      return { name, basedOn };
    });
    const left = contents.get(writes.at(-1)?.name ?? null) ?? [];

    expect(lostIn(writes)).toEqual(writes.map(({ name }) => name).filter((name) => !left.includes(name)));
  },
);

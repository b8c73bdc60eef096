import { describe, expect, test } from "vitest";
import type { Procedure } from "../ports/effect.ts";
import { drawFraction, drawToken, drawValue, now, receive } from "./effects.ts";
import { Round } from "./round.ts";

describe("an effect that is resumed with another one's answer", () => {
  test.each<[string, () => Procedure<unknown>]>([
    ["now", now],
    ["draw-value", drawValue],
    ["draw-fraction", drawFraction],
    ["receive", () => receive(new Round(["A"], 0), 50)],
    ["draw-token", () => drawToken({ next: () => Promise.resolve(1n) }, "orders", 50)],
  ])("%s: the driver is at fault, and is told so", (kind, effect) => {
    const procedure = effect();
    procedure.next({ kind: "done" });
    expect(() => procedure.next({ kind: "done" })).toThrow(`the effect "${kind}" was resumed with "done"`);
  });
});

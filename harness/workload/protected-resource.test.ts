import { describe, expect, test } from "vitest";
import { ProtectedResource } from "./protected-resource.ts";

const write = (worker: string, fencingToken?: string) => ({
  resource: "orders",
  worker,
  hold: `${worker}/1`,
  write: `${worker}/1.1`,
  ...(fencingToken === undefined ? {} : { fencingToken }),
});

describe("ProtectedResource", () => {
  test("with fencing, a token below the highest seen is refused and an equal or higher one accepted", () => {
    const resource = new ProtectedResource({ fencing: true });
    const accepted = ["33", "34", "33", "34", "100"].map(
      (token) => resource.judge(write("W1", token)).accepted,
    );
    expect(accepted).toEqual([true, true, false, true, true]);
  });

  test("with fencing, a write without a token is refused", () => {
    expect(new ProtectedResource({ fencing: true }).judge(write("W1")).accepted).toBe(false);
  });

  test("without fencing everything is accepted, and what a fence would have said is recorded", () => {
    const resource = new ProtectedResource({ fencing: false });
    resource.judge(write("W2", "34"));
    expect(resource.judge(write("W1", "33"))).toMatchObject({ accepted: true, acceptedIfFenced: false });
    expect(resource.judge(write("W1"))).toMatchObject({ accepted: true, acceptedIfFenced: true });
  });

  test("resources do not share their tokens", () => {
    const resource = new ProtectedResource({ fencing: true });
    resource.judge(write("W2", "34"));
    expect(resource.judge({ ...write("W1", "1"), resource: "invoices" }).accepted).toBe(true);
  });
});

import { describe, expect, test } from "vitest";
import { ProtectedResource } from "./protected-resource.ts";

const write = (worker: string, fencingToken?: string) => ({
  resource: "orders",
  worker,
  hold: `${worker}/1`,
  write: `${worker}/1.1`,
  ...(fencingToken === undefined ? {} : { fencingToken }),
});

const read = (worker: string, fencingToken?: string) => ({
  resource: "orders",
  worker,
  hold: `${worker}/1`,
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

  test("tells a reader the newest write that it accepted", () => {
    const resource = new ProtectedResource({ fencing: true });
    const saw = (): string | null => resource.read(read("W3")).saw;
    const before = saw();
    resource.judge(write("W2", "34"));
    resource.judge(write("W1", "33"));

    expect([before, saw()]).toEqual([null, "W2/1.1"]);
  });

  test("readers show their token only where that is asked for; then theirs counts as a writer's does", () => {
    const open = new ProtectedResource({ fencing: true });
    open.read(read("W2", "34"));
    expect(open.judge(write("W1", "33")).accepted).toBe(true);

    const fenced = new ProtectedResource({ fencing: true, fenceReads: true });
    expect(fenced.read(read("W2", "34")).accepted).toBe(true);
    expect(fenced.judge(write("W1", "33")).accepted).toBe(false);
    expect(fenced.read(read("W1", "33")).accepted).toBe(false);
  });

  test("without fencing there is no fence for readers either", () => {
    const resource = new ProtectedResource({ fencing: false, fenceReads: true });
    expect(resource.read(read("W2")).accepted).toBe(true);
  });

  test("a write that asks for its stamp is accepted only while that is the last one", () => {
    const resource = new ProtectedResource({ fencing: false });
    resource.stamp("orders", "W2/1");
    expect(resource.judge({ ...write("W2"), ifStamped: true }).accepted).toBe(true);

    resource.stamp("orders", "W1/1");
    expect(resource.judge({ ...write("W2"), ifStamped: true }).accepted).toBe(false);
    expect(resource.judge({ ...write("W1"), ifStamped: true }).accepted).toBe(true);
    expect(resource.judge(write("W2")).accepted).toBe(true);
  });
});

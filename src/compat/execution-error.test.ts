import { describe, expect, test } from "vitest";
import { RedlockError } from "../errors.ts";
import { ExecutionError, executionErrorFrom, ResourceLockedError } from "./execution-error.ts";

const CLIENTS = ["clientA", "clientB", "clientC"];
const MEMBERSHIP = { clients: CLIENTS, quorum: 2 };
const VOTES = [
  { node: "A", kind: "granted", roundTripMs: 1 },
  { node: "B", kind: "refused", reason: "held", roundTripMs: 1 },
  { node: "C", kind: "unknown", cause: "ECONNREFUSED" },
] as const;

const errorOf = (code: "contended" | "unavailable") =>
  executionErrorFrom(new RedlockError(code, "no", { votes: VOTES, resource: "orders" }), MEMBERSHIP);

describe("executionErrorFrom", () => {
  test("contention and outage are told apart by class and by code", () => {
    expect(errorOf("contended")).toBeInstanceOf(ResourceLockedError);
    expect(errorOf("unavailable")).toBeInstanceOf(ExecutionError);
    expect(errorOf("unavailable")).not.toBeInstanceOf(ResourceLockedError);
    expect(errorOf("contended")).toMatchObject({ name: "ResourceLockedError", code: "contended" });
    expect(errorOf("unavailable")).toMatchObject({
      name: "ExecutionError",
      resource: "orders",
      votes: VOTES,
    });
  });

  test("whoever catches ExecutionError or RedlockError catches both", () => {
    expect(errorOf("contended")).toBeInstanceOf(ExecutionError);
    expect(errorOf("contended")).toBeInstanceOf(RedlockError);
  });

  test("the votes stand by the clients that were given", async () => {
    const error = errorOf("contended") as ExecutionError;
    expect(await Promise.all(error.attempts)).toEqual([
      {
        membershipSize: 3,
        quorumSize: 2,
        votesFor: new Set(["clientA"]),
        votesAgainst: new Map([
          ["clientB", new Error("held")],
          ["clientC", new Error("ECONNREFUSED")],
        ]),
      },
    ]);
  });

  test("misuse, and what is no error of a lock, stays what it is", () => {
    const misuse = new RedlockError("misuse", "no");
    const other = new Error("other");
    expect(executionErrorFrom(misuse, MEMBERSHIP)).toBe(misuse);
    expect(executionErrorFrom(other, MEMBERSHIP)).toBe(other);
  });
});

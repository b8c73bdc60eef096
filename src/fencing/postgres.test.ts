import { describe, expect, test } from "vitest";
import {
  createPostgresTokens,
  type FencedWrite,
  passPostgresFence,
  type PostgresClient,
} from "./postgres.ts";

const untouched: PostgresClient = {
  query: () => Promise.reject(new Error("must not be asked")),
};

const misuse = (message: string): unknown =>
  expect.objectContaining({ code: "misuse", message: expect.stringContaining(message) as unknown });

describe("createPostgresTokens", () => {
  test.each([undefined, null, "postgres://localhost", {}, { query: true }])(
    "%j has no query, which is misuse",
    (client) => {
      expect(() => createPostgresTokens(client as unknown as PostgresClient)).toThrow(misuse("query"));
    },
  );
});

describe("passPostgresFence", () => {
  const write: FencedWrite = { resource: "orders", token: 1n, holder: "value" };

  test.each<[Record<string, unknown>, string]>([
    [{ resource: undefined }, "resource"],
    [{ resource: ["orders"] }, "resource"],
    [{ resource: "" }, "resource"],
    [{ token: undefined }, "token"],
    [{ token: 1 }, "token"],
    [{ holder: undefined }, "holder"],
    [{ holder: "" }, "holder"],
  ])("a write with %o is misuse, and nothing is asked", async (wrong, name) => {
    const given = { ...write, ...wrong };
    await expect(passPostgresFence(untouched, given)).rejects.toEqual(misuse(name));
  });

  test.each([undefined, null, "orders"])("%j is no write, which is misuse", async (given) => {
    await expect(passPostgresFence(untouched, given as unknown as FencedWrite)).rejects.toEqual(
      misuse("resource, token and holder"),
    );
  });

  test("a client without query is misuse", async () => {
    await expect(passPostgresFence({} as PostgresClient, write)).rejects.toEqual(misuse("query"));
  });
});

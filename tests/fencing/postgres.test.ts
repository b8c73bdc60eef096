/** Fencing with a real PostgreSQL. */
import { Client } from "pg";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import {
  createPostgresTokens,
  passPostgresFence,
  POSTGRES_FENCING_TABLES,
} from "../../src/fencing/postgres.ts";
import { type PostgresServer, startPostgres } from "../servers/postgres.fixture.ts";

let server: PostgresServer;
let one: Client;
let other: Client;

beforeAll(async () => {
  server = await startPostgres();
  one = new Client(server.url);
  other = new Client(server.url);
  await Promise.all([one.connect(), other.connect()]);
});

afterAll(async () => {
  await Promise.all([one.end(), other.end()]);
  await server.close();
});

beforeEach(async () => {
  await one.query("drop table if exists redlock_tokens, redlock_fences");
  await one.query(POSTGRES_FENCING_TABLES);
});

describe("tokens", () => {
  test("grow for each resource, from whatever connection they are drawn", async () => {
    const [here, there] = [createPostgresTokens(one), createPostgresTokens(other)];

    expect([await here.next("orders"), await there.next("orders"), await here.next("orders")]).toEqual([
      1n,
      2n,
      3n,
    ]);
    expect(await there.next("users")).toBe(1n);
  });

  test("are given once, also where many are drawn at a time", async () => {
    const [here, there] = [createPostgresTokens(one), createPostgresTokens(other)];
    const tokens = await Promise.all(
      Array.from({ length: 40 }, (_, index) => (index % 2 === 0 ? here : there).next("orders")),
    );

    expect(new Set(tokens).size).toBe(40);
  });
});

describe("the fence", () => {
  const pass = (client: Client, token: bigint, holder: string): Promise<boolean> =>
    passPostgresFence(client, { resource: "orders", token, holder });

  test("lets the newer pass and the older no more (S40)", async () => {
    expect(await pass(one, 33n, "first")).toBe(true);
    expect(await pass(one, 33n, "first")).toBe(true);
    expect(await pass(other, 34n, "second")).toBe(true);
    expect(await pass(one, 33n, "first")).toBe(false);
    expect(await pass(other, 34n, "second")).toBe(true);
  });

  test("tells two holders of one token apart (S38)", async () => {
    expect(await pass(one, 34n, "first")).toBe(true);
    expect(await pass(other, 34n, "second")).toBe(false);
  });

  test("holds a newer writer back until the older one has committed", async () => {
    await one.query("begin");
    expect(await pass(one, 1n, "first")).toBe(true);
    await other.query("begin");
    let hasPassed = false;
    const second = pass(other, 2n, "second").then((passed) => {
      hasPassed = passed;
    });
    await one.query("select pg_sleep(0.1)");
    expect(hasPassed).toBe(false);
    await one.query("commit");
    await second;
    expect(hasPassed).toBe(true);
    await other.query("commit");
    expect(await pass(one, 1n, "first")).toBe(false);
  });

  test("an older writer that waited for a newer one is refused", async () => {
    await other.query("begin");
    expect(await pass(other, 2n, "second")).toBe(true);
    const first = pass(one, 1n, "first");
    await other.query("select pg_sleep(0.1)");
    await other.query("commit");
    expect(await first).toBe(false);
  });

  test("a write that is rolled back leaves the fence as it was", async () => {
    expect(await pass(one, 1n, "first")).toBe(true);
    await other.query("begin");
    expect(await pass(other, 2n, "second")).toBe(true);
    await other.query("rollback");
    expect(await pass(one, 1n, "first")).toBe(true);
  });

  test("a lock without a token is misuse", async () => {
    const write = { resource: "orders", token: undefined, holder: "first" };

    await expect(passPostgresFence(one, write)).rejects.toMatchObject({ code: "misuse" });
  });
});

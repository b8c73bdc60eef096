/**
 * Fencing with PostgreSQL: it gives out growing tokens, and it refuses writes of those who are late (scenarios S01,
 * S05, S40). A token and the write it protects may live in different databases; the fence has to lie where the write
 * does, in the same transaction.
 */
import { misuse } from "../misuse.ts";
import type { TokenSource } from "../ports/token-source.ts";

/** What is needed of a client. `Client`, `PoolClient` and `Pool` of `pg` have it. */
export interface PostgresClient {
  query(text: string, values: string[]): Promise<{ readonly rows: readonly unknown[] }>;
}

/** Makes the two tables, once, by whoever owns the schema. */
export const POSTGRES_FENCING_TABLES = `
create table if not exists redlock_tokens (resource text primary key, token bigint not null);
create table if not exists redlock_fences (resource text primary key, token bigint not null, holder text not null);
`.trim();

const NEXT_TOKEN = `
insert into redlock_tokens as counter (resource, token) values ($1, 1)
on conflict (resource) do update set token = counter.token + 1
returning token::text as token`.trim();

const PASS_FENCE = `
insert into redlock_fences as fence (resource, token, holder) values ($1, $2, $3)
on conflict (resource) do update set token = excluded.token, holder = excluded.holder
where fence.token < excluded.token or (fence.token = excluded.token and fence.holder = excluded.holder)
returning fence.resource`.trim();

/**
 * Fencing tokens from a table, one row for each resource. They are as durable as the database: with
 * `synchronous_commit` off, or behind a replica that was promoted without the last commits, a token can be given
 * twice, which `passPostgresFence` notices by the holder.
 *
 * @param client outside of any transaction: a token drawn in one that is rolled back is given again.
 * @throws RedlockError `misuse` for what is no client.
 */
export function createPostgresTokens(client: PostgresClient): TokenSource {
  assertClient(client);
  return {
    async next(resource) {
      const { rows } = await client.query(NEXT_TOKEN, [resource]);
      return tokenFrom(rows[0]);
    },
  };
}

/** Who is about to write. */
export interface FencedWrite {
  readonly resource: string;
  /** The lock's `fencingToken`. */
  readonly token: bigint | undefined;
  /** The lock's `value`: two holders with one token are still told apart. */
  readonly holder: string;
}

/**
 * Asks the fence in the transaction of the write, before it. A holder may pass as often as it likes until one with a
 * greater token has passed; the row stays locked until the transaction ends, so that writers take turns.
 *
 * @param client within the transaction that writes, at the isolation level `read committed` or a stricter one.
 * @returns false where somebody newer has been here: the transaction must then be rolled back.
 * @throws RedlockError `misuse` where the lock was acquired without a token source, or a name or value is none.
 */
export async function passPostgresFence(client: PostgresClient, write: FencedWrite): Promise<boolean> {
  assertClient(client);
  assertWrite(write);
  const { resource, token, holder } = write;
  const { rows } = await client.query(PASS_FENCE, [resource, token.toString(), holder]);
  return rows.length > 0;
}

function assertClient(client: unknown): void {
  if (
    typeof client === "object" &&
    client !== null &&
    "query" in client &&
    typeof client.query === "function"
  ) {
    return;
  }
  throw misuse("client must have query(text, values), as a Client or a Pool of pg has");
}

function assertWrite(write: unknown): asserts write is FencedWrite & { readonly token: bigint } {
  if (typeof write !== "object" || write === null) {
    throw misuse("a fenced write is an object with resource, token and holder");
  }
  const fields: Partial<Record<keyof FencedWrite, unknown>> = write;
  const { resource, token, holder } = fields;
  if (typeof resource !== "string" || resource === "") {
    throw misuse("resource must be the lock's resource, a string that is not empty");
  }
  if (typeof token !== "bigint") {
    throw misuse(
      "token must be the lock's fencingToken, a bigint: name a token source as the option fencing of acquire",
    );
  }
  if (typeof holder !== "string" || holder === "") {
    throw misuse("holder must be the lock's value, a string that is not empty");
  }
}

function tokenFrom(row: unknown): bigint {
  if (typeof row === "object" && row !== null && "token" in row && typeof row.token === "string") {
    return BigInt(row.token);
  }
  throw new TypeError("PostgreSQL gave no token");
}

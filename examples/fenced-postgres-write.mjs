// A write that must never come late, in PostgreSQL: no lock can stop a process that has been paused, but the database
// can refuse it. DATABASE_URL names the database; two small tables are made in it.
import pg from "pg";
import {
  createPostgresTokens,
  passPostgresFence,
  POSTGRES_FENCING_TABLES,
  Redlock,
} from "redlock-lab/coordinator";
import { nodes, PATIENCE_MS, restartGuard } from "./nodes.mjs";

const ACCOUNT = "account-7";
const { DATABASE_URL } = process.env;
if (DATABASE_URL === undefined) {
  console.error(
    "Name a PostgreSQL database: export DATABASE_URL=postgres://user:password@127.0.0.1:5432/postgres",
  );
  process.exit(64);
}

const pool = new pg.Pool({ connectionString: DATABASE_URL });
const redlock = new Redlock(nodes, { restartGuard });
const fencing = createPostgresTokens(pool);

try {
  await pool.query(POSTGRES_FENCING_TABLES);
  await pool.query("create table if not exists accounts (name text primary key, balance bigint not null)");

  const late = await redlock.acquire(ACCOUNT, 5_000, { waitMs: PATIENCE_MS, fencing });
  console.log(`token ${late.fencingToken} was drawn; its holder stands still for too long`);
  await late.release();

  const lock = await redlock.acquire(ACCOUNT, 5_000, { fencing });
  console.log(`token ${lock.fencingToken} was drawn: ${await deposit(lock, 100)}`);
  console.log(`token ${late.fencingToken} comes late: ${await deposit(late, 1_000_000)}`);
  await lock.release();
} catch (error) {
  console.error(`not done: ${error.message}`);
  process.exitCode = 1;
} finally {
  await Promise.all([redlock.close(), pool.end()]);
}

async function deposit(lock, amount) {
  const client = await pool.connect();
  try {
    await client.query("begin");
    const mayWrite = await passPostgresFence(client, {
      resource: ACCOUNT,
      token: lock.fencingToken,
      holder: lock.value,
    });
    if (mayWrite) {
      await client.query(
        "insert into accounts values ($1, $2) on conflict (name) do update set balance = accounts.balance + $2",
        [ACCOUNT, amount],
      );
    }
    await client.query(mayWrite ? "commit" : "rollback");
    return mayWrite ? "written" : "refused";
  } catch (error) {
    await client.query("rollback");
    throw error;
  } finally {
    client.release();
  }
}

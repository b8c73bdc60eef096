/** A real PostgreSQL for a test, in a folder of its own; `close` leaves nothing behind. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { chownSync, cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { Client } from "pg";
import { reservePorts } from "../../harness/backends/real/port-reservation.ts";
import { cacheFolder } from "../../harness/backends/local/programs.ts";

export interface PostgresServer {
  readonly url: string;
  /** Sends commands on a connection of its own. */
  readonly ask: (text: string) => Promise<readonly unknown[]>;
  readonly close: () => Promise<void>;
}

/** PostgreSQL refuses to run as root; the user that every Linux has for the like. */
const NOBODY = 65_534;
const USER = "tester";
const TRIES_MAX = 200;
const PAUSE_MS = 50;

/** @throws Error when there is no PostgreSQL: the test fails, it does not skip. */
export async function startPostgres(): Promise<PostgresServer> {
  const reservation = await reservePorts(1);
  const folder = mkdtempSync(join(tmpdir(), "redlock-lab-postgres-"));
  let server: ChildProcess | undefined;
  const close = async (): Promise<void> => {
    if (server?.exitCode === null && server.kill("SIGQUIT")) await once(server, "exit");
    await reservation.release();
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    const port = String(reservation.ports[0]);
    const bin = programsIn(folder);
    const data = join(folder, "data");
    await run(join(bin, "initdb"), [
      "-D",
      data,
      "-A",
      "trust",
      "-U",
      USER,
      "--no-sync",
      "-E",
      "UTF8",
      "--locale=C",
    ]);
    const settings = ["listen_addresses=127.0.0.1", "unix_socket_directories=", "fsync=off"];
    server = start(join(bin, "postgres"), [
      "-D",
      data,
      "-p",
      port,
      ...settings.flatMap((one) => ["-c", one]),
    ]);
    const url = `postgres://${USER}@127.0.0.1:${port}/postgres`;
    const ask = (text: string): Promise<readonly unknown[]> => askOnce(url, text);
    await untilReady(ask);
    return { url, ask, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** The folder with the programs, where the user that runs them can read it. */
function programsIn(folder: string): string {
  const brought = join(cacheFolder(), "servers", "postgresql");
  const debian = "/usr/lib/postgresql";
  const versions = existsSync(debian)
    ? readdirSync(debian).map((version) => join(debian, version, "bin"))
    : [];
  const places = [...(process.env["PATH"] ?? "").split(delimiter), ...versions.toReversed()];
  if (isRoot()) chownSync(folder, NOBODY, NOBODY);
  const found = places.find((place) => ["postgres", "initdb"].every((name) => existsSync(join(place, name))));
  if (found !== undefined) return found;
  if (!existsSync(brought)) throw new Error("there is no PostgreSQL: run scripts/set-up.sh --other-servers");
  const copy = join(folder, "programs");
  mkdirSync(copy);
  cpSync(brought, copy, { recursive: true, verbatimSymlinks: true });
  return join(copy, "bin");
}

function isRoot(): boolean {
  return process.getuid?.() === 0;
}

function start(program: string, args: readonly string[]): ChildProcess {
  const user = isRoot() ? { uid: NOBODY, gid: NOBODY } : {};
  return spawn(program, args, { ...user, cwd: "/", stdio: "ignore" });
}

async function run(program: string, args: readonly string[]): Promise<void> {
  const [code] = (await once(start(program, args), "exit")) as [number | null];
  if (code !== 0) throw new Error(`${program} ended with ${code}`);
}

async function untilReady(ask: PostgresServer["ask"]): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      await ask("select 1");
      return;
    } catch (error) {
      if (tries === TRIES_MAX) throw error;
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    }
  }
}

async function askOnce(url: string, text: string): Promise<readonly unknown[]> {
  const client = new Client(url);
  try {
    await client.connect();
    const { rows }: { rows: readonly unknown[] } = await client.query(text);
    return rows;
  } finally {
    await client.end().catch(() => undefined);
  }
}

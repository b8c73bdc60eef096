/** What tests with real servers need: programs, ports, a folder, and the end of all of it. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Redis } from "ioredis";
import { afterEach } from "vitest";
import { buildClockShim } from "../../harness/backends/local/clock-shim.ts";
import { reservePorts } from "../../harness/backends/real/port-reservation.ts";
import {
  cacheFolder,
  findCompiler,
  findRedisServer,
  findToxiproxyServer,
  requireProgram,
} from "../../harness/backends/local/programs.ts";
import {
  ToxiproxyServer,
  type ToxiproxyServerOptions,
} from "../../harness/backends/local/toxiproxy-server.ts";
import { RedisProcess, type RedisProcessOptions } from "../../harness/backends/local/redis-process.ts";
import { CONNECTION_OPTIONS } from "../../src/redis/connection-options.ts";

export const NO_LEDGER = { watchProcess: () => undefined, forgetProcess: () => undefined };

type Close = () => unknown;

/** Call once in a test file: what its tests open is closed after each. */
export function useRig() {
  const closes: Close[] = [];
  afterEach(async () => {
    for (const close of closes.splice(0).reverse()) await close();
  });

  const onClose = (close: Close) => void closes.push(close);
  const folder = async () => {
    const path = await mkdtemp(join(tmpdir(), "redlock-lab-test-"));
    onClose(() => rm(path, { recursive: true, force: true }));
    return path;
  };
  const ports = async (count: number) => {
    const reservation = await reservePorts(count);
    onClose(() => reservation.release());
    return reservation.ports as [number, ...number[]];
  };
  const node = async (options: Partial<RedisProcessOptions> = {}) => {
    const [port] = await ports(1);
    const process = new RedisProcess({
      name: "A",
      port,
      folder: await folder(),
      persistence: "none",
      program: await redisServer(),
      shimPath: await shim(),
      runLabel: "test",
      ledger: NO_LEDGER,
      ...options,
    });
    onClose(() => process.stop());
    return process;
  };
  const startedNode = async (options: Partial<RedisProcessOptions> = {}) => {
    const process = await node(options);
    await process.start();
    return process;
  };
  const client = async (port: number) => {
    const redis = new Redis({ ...CONNECTION_OPTIONS, port, host: "127.0.0.1", lazyConnect: true });
    redis.on("error", () => undefined);
    onClose(() => redis.disconnect());
    await redis.connect();
    return redis;
  };
  const toxiproxy = async (options: Partial<ToxiproxyServerOptions> = {}) => {
    const [port] = await ports(1);
    const server = await ToxiproxyServer.start({
      program: requireProgram(await findToxiproxyServer()).path,
      port,
      folder: await folder(),
      runLabel: "test",
      ledger: NO_LEDGER,
      ...options,
    });
    onClose(() => server.stop());
    return server;
  };
  return { onClose, folder, ports, node, startedNode, client, toxiproxy };
}

export async function redisServer(): Promise<string> {
  return requireProgram(await findRedisServer()).path;
}

export async function shim(): Promise<string> {
  const compiler = requireProgram(await findCompiler()).path;
  return buildClockShim({ compiler, cacheDir: cacheFolder() });
}

/** Milliseconds that something took. */
export async function tookMs(action: () => Promise<unknown>): Promise<number> {
  const startedMs = performance.now();
  await action();
  return performance.now() - startedMs;
}

/** What came of it within the time: its value, the error's message, or silence. */
export async function within(limitMs: number, pending: Promise<unknown>): Promise<unknown> {
  let timer: NodeJS.Timeout | undefined;
  const silence = new Promise((resolve) => {
    timer = setTimeout(resolve, limitMs, "silence");
  });
  const outcome = pending.catch((error: unknown) => (error instanceof Error ? error.message : String(error)));
  const first = await Promise.race([outcome, silence]);
  clearTimeout(timer);
  return first;
}

/**
 * Reserves TCP ports on 127.0.0.1 for one run. A reservation is a UDP socket bound to the same number: it does
 * not hinder the TCP server that is to come, no second laboratory can bind it, and the kernel takes it back
 * however this process ends. Ports lie outside the kernel's ephemeral range, so that no client socket of this
 * machine takes one while its server is down.
 */
import { createSocket, type Socket } from "node:dgram";
import { readFileSync } from "node:fs";
import { createServer } from "node:net";
import { InfrastructureError, UsageError } from "../../lab-error.ts";

export interface PortReservation {
  readonly ports: readonly number[];
  /** Gives the ports back. Never rejects; harmless when repeated. */
  readonly release: () => Promise<void>;
}

export interface PortRange {
  readonly low: number;
  readonly high: number;
}

interface HeldPort {
  readonly port: number;
  readonly socket: Socket;
}

const HOST = "127.0.0.1";
const PORT_MIN = 1024;
const PORT_MAX = 65_535;
const PREFERRED_LOW = 20_000;
const RANGE_WIDTH_MIN = 500;
const EPHEMERAL_FILE = "/proc/sys/net/ipv4/ip_local_port_range";
/** Linux and macOS differ; below this both have room. */
const EPHEMERAL_FALLBACK: PortRange = { low: 32_768, high: 60_999 };
const CANDIDATES_MAX = 4_000;

/**
 * @param options.base first port of a block the user chose; without it ports are looked for.
 * @throws InfrastructureError when a port of the block is taken, or too few are free.
 */
export async function reservePorts(
  count: number,
  { base }: { readonly base?: number } = {},
): Promise<PortReservation> {
  const held = base === undefined ? await holdFreePorts(count) : await holdBlock(base, count);
  return {
    ports: held.map(({ port }) => port),
    release: () => releaseAll(held),
  };
}

/** Where to look for ports, given the range from which the kernel hands them to clients. */
export function reservableRange(ephemeral: PortRange): PortRange {
  const candidates: readonly PortRange[] = [
    { low: PREFERRED_LOW, high: ephemeral.low - 1 },
    { low: PORT_MIN, high: ephemeral.low - 1 },
    { low: ephemeral.high + 1, high: PORT_MAX },
  ];
  // Where clients may get any port, the reservation still keeps laboratories apart.
  return (
    candidates.find(({ low, high }) => high - low + 1 >= RANGE_WIDTH_MIN) ?? {
      low: PREFERRED_LOW,
      high: EPHEMERAL_FALLBACK.low - 1,
    }
  );
}

/** Reads the text of the kernel's file; `undefined` where it says something else. */
export function parseEphemeralRange(text: string): PortRange | undefined {
  const match = /^\s*(\d+)\s+(\d+)\s*$/.exec(text);
  if (match === null) return undefined;
  const range = { low: Number(match[1]), high: Number(match[2]) };
  return range.low <= range.high && range.high <= PORT_MAX ? range : undefined;
}

async function holdFreePorts(count: number): Promise<readonly HeldPort[]> {
  const { low, high } = reservableRange(readEphemeralRange());
  const width = high - low + 1;
  const first = Math.floor(Math.random() * width);
  const held: HeldPort[] = [];
  for (let step = 0; step < Math.min(width, CANDIDATES_MAX) && held.length < count; step++) {
    const port = await holdPort(low + ((first + step) % width));
    if (port !== undefined) held.push(port);
  }
  if (held.length === count) return held;
  await releaseAll(held);
  throw new InfrastructureError(
    `Only ${String(held.length)} of ${String(count)} ports are free on ${HOST} between ${String(low)} and ${String(high)}; end programs that listen there.`,
  );
}

async function holdBlock(base: number, count: number): Promise<readonly HeldPort[]> {
  if (!Number.isInteger(base) || base < PORT_MIN || base + count - 1 > PORT_MAX) {
    throw new UsageError(
      `The base port must be between ${String(PORT_MIN)} and ${String(PORT_MAX - count + 1)}, not ${String(base)}.`,
    );
  }
  const held: HeldPort[] = [];
  for (let port = base; port < base + count; port++) {
    const one = await holdPort(port);
    if (one === undefined) {
      await releaseAll(held);
      throw new InfrastructureError(
        `Port ${String(port)} on ${HOST} is taken; end the program that has it, or choose another base port.`,
      );
    }
    held.push(one);
  }
  return held;
}

/** @returns `undefined` when somebody else has the port, or another laboratory its reservation. */
async function holdPort(port: number): Promise<HeldPort | undefined> {
  const socket = await bindUdp(port);
  if (socket === undefined) return undefined;
  if (await canListen(port)) return { port, socket };
  await closeSocket(socket);
  return undefined;
}

function bindUdp(port: number): Promise<Socket | undefined> {
  return new Promise((resolve) => {
    const socket = createSocket("udp4");
    socket.once("error", () => {
      socket.close();
      resolve(undefined);
    });
    socket.bind({ port, address: HOST, exclusive: true }, () => {
      socket.unref();
      resolve(socket);
    });
  });
}

function canListen(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once("error", () => {
      resolve(false);
    });
    server.listen({ port, host: HOST, exclusive: true }, () => {
      server.close(() => {
        resolve(true);
      });
    });
  });
}

async function releaseAll(held: readonly HeldPort[]): Promise<void> {
  await Promise.all(held.map(({ socket }) => closeSocket(socket)));
}

function closeSocket(socket: Socket): Promise<void> {
  return new Promise((resolve) => {
    try {
      socket.close(resolve);
    } catch {
      // It was closed before: released twice.
      resolve();
    }
  });
}

function readEphemeralRange(): PortRange {
  try {
    return parseEphemeralRange(readFileSync(EPHEMERAL_FILE, "utf8")) ?? EPHEMERAL_FALLBACK;
  } catch {
    // Not Linux: the fallback is below macOS's range too.
    return EPHEMERAL_FALLBACK;
  }
}

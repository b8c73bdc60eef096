import { createServer } from "node:net";
import { describe, expect, test } from "vitest";
import { reservePorts } from "../../harness/backends/real/port-reservation.ts";
import { useRig } from "./lab-rig.fixture.ts";

const rig = useRig();

async function reserve(count: number, options?: { base: number }) {
  const reservation = await reservePorts(count, options);
  rig.onClose(() => reservation.release());
  return reservation;
}

describe("reservePorts", () => {
  test("concurrent reservations never share a port", async () => {
    const reservations = await Promise.all(Array.from({ length: 8 }, () => reserve(20)));
    const ports = reservations.flatMap((reservation) => reservation.ports);
    expect(new Set(ports).size).toBe(160);
  });

  test("a server can listen on a reserved port", async () => {
    const { ports } = await reserve(1);
    const server = createServer();
    rig.onClose(() => server.close());
    await new Promise<void>((resolve, reject) => {
      server.once("error", reject).listen(ports[0], "127.0.0.1", resolve);
    });
  });

  test("a block that is reserved already is refused in one sentence, and free again after release", async () => {
    const first = await reserve(1);
    const base = first.ports[0]!;
    await expect(reservePorts(1, { base })).rejects.toThrow(
      `Port ${base} on 127.0.0.1 is taken; end the program that has it, or choose another base port.`,
    );
    await first.release();
    await first.release();
    expect((await reserve(1, { base })).ports).toEqual([base]);
  });

  test("a block in which somebody listens is refused", async () => {
    const first = await reserve(1);
    const port = first.ports[0]!;
    await first.release();
    const server = createServer();
    rig.onClose(() => server.close());
    await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
    await expect(reservePorts(2, { base: port - 1 })).rejects.toThrow(/is taken/);
    expect((await reserve(1, { base: port - 1 })).ports).toEqual([port - 1]);
  });

  test.each([0, 80, 65_535, 2_000.5])("the base %d is an argument that cannot work", async (base) => {
    await expect(reservePorts(2, { base })).rejects.toThrow(/^The base port must be between/);
  });
});

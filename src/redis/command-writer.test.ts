import type { Redis } from "ioredis";
import { describe, expect, test } from "vitest";
import { CommandWriter, type WritableClient } from "./command-writer.ts";
import type { SendableCommand } from "./quick-command.ts";

/** A client that notes what is written, and refuses everything once it is away. */
function fakeClient(keyPrefix?: string) {
  const writes: string[] = [];
  const queue: SendableCommand[] = [];
  const client: WritableClient & { isAway: boolean } = {
    isAway: false,
    options: { keyPrefix },
    stream: { write: (text: string) => writes.push(text) } as unknown as Redis["stream"],
    sendCommand: (command, collector) => {
      if (client.isAway) {
        command.reject(new Error("away"));
        return;
      }
      collector.write(String(command.toWritable({})));
      queue.push(command);
    },
  };
  return { client, writes, queue };
}

const command = (key: string) => ({ name: "SET", args: [key, "v"] }) as const;
const text = (key: string) => `*3\r\n$3\r\nSET\r\n$${String(key.length)}\r\n${key}\r\n$1\r\nv\r\n`;
const ignore = () => undefined;
const nextTick = () => new Promise<void>((resolve) => process.nextTick(resolve));

describe("CommandWriter", () => {
  test("the commands of a tick leave in one write, in their order, within the same turn of the loop", async () => {
    const { client, writes, queue } = fakeClient();
    const writer = new CommandWriter(client);
    writer.write(command("a"), ignore, ignore);
    writer.write(command("b"), ignore, ignore);
    expect(writes).toEqual([]);
    await nextTick();
    expect(writes).toEqual([text("a") + text("b")]);
    expect(queue.map(({ args }) => args[0])).toEqual(["a", "b"]);
    writer.write(command("c"), ignore, ignore);
    await nextTick();
    expect(writes).toEqual([text("a") + text("b"), text("c")]);
  });

  test("what settled promises send belongs to the tick", async () => {
    const { client, writes } = fakeClient();
    const writer = new CommandWriter(client);
    for (const key of ["a", "b"]) {
      await Promise.resolve();
      writer.write(command(key), ignore, ignore);
    }
    expect(writes).toEqual([]);
    await nextTick();
    expect(writes).toEqual([text("a") + text("b")]);
  });

  test("what is waiting can be written at once", async () => {
    const { client, writes } = fakeClient();
    const writer = new CommandWriter(client);
    writer.write(command("a"), ignore, ignore);
    writer.flush();
    expect(writes).toEqual([text("a")]);
    await nextTick();
    expect(writes).toHaveLength(1);
  });

  test("bytes are counted, not characters; keys get the client's prefix and nothing else does", async () => {
    const { client, writes } = fakeClient("é:");
    const writer = new CommandWriter(client);
    writer.write({ name: "EVAL", args: ["return 1", "1", "key", "value"] }, ignore, ignore);
    await nextTick();
    expect(writes).toEqual([
      "*5\r\n$4\r\nEVAL\r\n$8\r\nreturn 1\r\n$1\r\n1\r\n$6\r\né:key\r\n$5\r\nvalue\r\n",
    ]);
  });

  test("answers come as text, also within lists; a client that is away is a failure", async () => {
    const { client, queue, writes } = fakeClient();
    const writer = new CommandWriter(client);
    const answers: unknown[] = [];
    const failures: string[] = [];
    const note = (key: string) => {
      writer.write(
        command(key),
        (answer) => answers.push(answer),
        ({ message }) => failures.push(message),
      );
    };
    note("a");
    await nextTick();
    queue[0]?.resolve([Buffer.from("OK"), 1, [null]]);
    expect(answers).toEqual([["OK", 1, [null]]]);
    client.isAway = true;
    note("b");
    expect(failures).toEqual([]);
    await nextTick();
    expect(failures).toEqual(["away"]);
    expect(writes).toHaveLength(1);
  });
});

/** One question to one server on a connection of its own, with a time limit. */
import { connect } from "node:net";
import { RespReader, type RespValue, respCommand } from "./resp-reader.ts";

/** @throws Error when nobody answers in time; an error reply is a value. */
export function askRedis(
  port: number,
  args: readonly string[],
  { limitMs }: { readonly limitMs: number },
): Promise<RespValue> {
  return new Promise((resolve, reject) => {
    const reader = new RespReader();
    const socket = connect({ port, host: "127.0.0.1" });
    const settle = (outcome: RespValue | Error): void => {
      clearTimeout(timer);
      socket.destroy();
      if (outcome instanceof Error) reject(outcome);
      else resolve(outcome);
    };
    const timer = setTimeout(() => {
      settle(new Error(`port ${port} did not answer ${args[0] ?? ""} within ${limitMs} ms`));
    }, limitMs);
    socket.on("error", settle);
    socket.on("close", () => {
      settle(new Error(`port ${port} closed the connection`));
    });
    socket.on("data", (chunk) => {
      try {
        const [value] = reader.read(chunk);
        if (value !== undefined) settle(value);
      } catch (error) {
        settle(error instanceof Error ? error : new Error(String(error)));
      }
    });
    socket.write(respCommand(args));
  });
}

/**
 * A server in the words of Redis 8.4, of which no binary is to be had: `DELEX … IFEQ`, `SET … IFEQ`, and no scripts for
 * this user. It knows the few commands of a lock and no expiry; nothing here has been held against a real one.
 */
import { type AddressInfo, createServer, type Socket } from "node:net";
import { RespReader, respText } from "../../harness/backends/real/resp/resp-reader.ts";

export interface DelexServer {
  readonly url: string;
  readonly keys: ReadonlyMap<string, string>;
  /** The names of the commands that came, in capitals. */
  readonly received: readonly string[];
  readonly close: () => Promise<void>;
}

export async function startDelexServer(): Promise<DelexServer> {
  const keys = new Map<string, string>();
  const received: string[] = [];
  const sockets = new Set<Socket>();
  const listener = createServer((socket) => {
    const reader = new RespReader();
    sockets.add(socket);
    socket.on("error", () => undefined);
    socket.on("data", (chunk) => {
      for (const value of reader.read(chunk)) {
        const [name = "", ...args] =
          value.kind === "list" ? value.items.map((item) => respText(item) ?? "") : [];
        received.push(name.toUpperCase());
        socket.write(answerTo(name.toUpperCase(), args, keys));
      }
    });
  });
  await new Promise<void>((resolve) => {
    listener.listen(0, "127.0.0.1", resolve);
  });
  const { port } = listener.address() as AddressInfo;
  return {
    url: `redis://127.0.0.1:${String(port)}`,
    keys,
    received,
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => listener.close(resolve));
    },
  };
}

const NIL = "$-1\r\n";
const OK = "+OK\r\n";

function answerTo(name: string, args: readonly string[], keys: Map<string, string>): string {
  const [key = "", second = "", third = ""] = args;
  switch (name) {
    case "CLIENT":
      return ":7\r\n";
    case "INFO":
      return bulk("run_id:0123456789012345678901234567890123456789\r\n");
    case "SET": {
      const found = keys.get(key);
      const isWanted = args.includes("IFEQ") ? found === args.at(-1) : found === undefined;
      if (isWanted) keys.set(key, second);
      return isWanted ? OK : NIL;
    }
    case "DELEX":
      return `:${second === "IFEQ" && keys.get(key) === third && keys.delete(key) ? "1" : "0"}\r\n`;
    case "EVAL":
      return "-NOPERM User default has no permissions to run the 'eval' command\r\n";
    default:
      return `-ERR unknown command '${name}'\r\n`;
  }
}

const bulk = (text: string): string => `$${String(Buffer.byteLength(text))}\r\n${text}\r\n`;

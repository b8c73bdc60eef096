/** Tells clients of Redis packages by what they can do, so that copies and versions of a package do not matter. Pure. */
import type { IoredisClient } from "./node-address.ts";

/** What a property holds, own or inherited; nothing where the value can have none. */
export function propertyOf(value: unknown, name: string | symbol): unknown {
  if ((typeof value !== "object" && typeof value !== "function") || value === null) return undefined;
  return Reflect.get(value, name);
}

/** A `Redis` or `Cluster` instance of any copy of ioredis 4 to 6. */
export function isIoredisClient(value: unknown): value is IoredisClient {
  return (
    typeof value === "object" &&
    typeof propertyOf(value, "status") === "string" &&
    typeof propertyOf(value, "duplicate") === "function" &&
    typeof propertyOf(value, "defineCommand") === "function" &&
    typeof propertyOf(value, "options") === "object"
  );
}

/** Its clients say by `isOpen` (3: `connected`) whether they are open; ioredis' say by `status` how they are. */
export function isNodeRedisClient(value: object): boolean {
  const isOpen = propertyOf(value, "isOpen") ?? propertyOf(value, "connected");
  const send = propertyOf(value, "sendCommand") ?? propertyOf(value, "send_command");
  return typeof isOpen === "boolean" && typeof send === "function";
}

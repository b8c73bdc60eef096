/** Says in a few words what somebody passed instead of what was expected. Pure; shows no password. */
import { isIoredisClient, isNodeRedisClient, propertyOf } from "./client-kinds.ts";

/** `a node-redis client`, `the class Redis`, `undefined`, … */
export function describeGiven(value: unknown): string {
  switch (typeof value) {
    case "string":
      return value === "" ? "an empty string" : `the string "${withoutPassword(value)}"`;
    case "function":
      return value.name === "" ? "a function" : `the class or function ${value.name}`;
    case "object":
      return value === null ? "null" : describeObject(value);
    case "undefined":
      return "undefined";
    case "number":
    case "boolean":
    case "bigint":
    case "symbol":
      return `the ${typeof value} ${String(value)}`;
  }
}

/** An address as it may stand in a message or a log. */
export function withoutPassword(address: string): string {
  return address.replace(/\/\/.*@/, "//***@");
}

function describeObject(value: object): string {
  if (Array.isArray(value)) return "a list";
  if (value instanceof Promise) return "a promise, which has to be awaited first";
  if (isIoredisClient(value)) return "an ioredis client";
  if (isNodeRedisClient(value)) return "a node-redis client";
  const className = propertyOf(propertyOf(value, "constructor"), "name");
  if (typeof className === "string" && className !== "Object") return `an instance of ${className}`;
  const keys = Object.keys(value);
  return keys.length === 0 ? "an empty object" : `an object with ${keys.join(", ")}`;
}

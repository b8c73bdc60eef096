/** The options of `createNodes`: ranges, and one sentence for what is out of range. Pure. */
import { assertKnownOptions } from "../../known-options.ts";
import { misuse } from "../../misuse.ts";
import { propertyOf } from "./client-kinds.ts";
import { describeGiven } from "./describe-given.ts";
import type { NodeOptions } from "./node-address.ts";

const CONNECT_TIMEOUT_MAX_MS = 60_000;
const OPTION_NAMES = [
  "names",
  "username",
  "password",
  "tls",
  "connectTimeoutMs",
  "keyPrefix",
  "scripts",
  "durable",
];

/** @throws RedlockError `misuse` for an option that is out of its range, or that there is not. */
export function assertNodeOptions(options: unknown): asserts options is NodeOptions {
  assertKnownOptions("createNodes", options, OPTION_NAMES);
  for (const name of ["username", "password", "keyPrefix"]) assertText(name, propertyOf(options, name));
  assertTls(propertyOf(options, "tls"));
  assertConnectTimeout(propertyOf(options, "connectTimeoutMs"));
  assertDurable(propertyOf(options, "durable"));
  assertScripts(propertyOf(options, "scripts"));
}

/** @throws RedlockError `misuse` unless there is one name for each node, and no name twice. */
export function assertNames(names: unknown, nodeCount: number): asserts names is readonly string[] {
  const isList = Array.isArray(names) && names.every((name) => typeof name === "string" && name !== "");
  if (!isList || names.length !== nodeCount || new Set(names).size < nodeCount) {
    throw misuse(
      `names must be a list of ${String(nodeCount)} different names, one for each node, not ${describeNames(names)}`,
    );
  }
}

function describeNames(names: unknown): string {
  return Array.isArray(names) ? JSON.stringify(names) : describeGiven(names);
}

function assertText(name: string, value: unknown): void {
  if (value === undefined || typeof value === "string") return;
  throw misuse(`${name} must be a string, not ${describeGiven(value)}`);
}

function assertDurable(durable: unknown): void {
  if (durable === undefined || typeof durable === "boolean") return;
  throw misuse(`durable must be true or false, not ${describeGiven(durable)}`);
}

function assertScripts(scripts: unknown): void {
  if (scripts === undefined || scripts === "auto" || scripts === "never") return;
  throw misuse(`scripts must be "auto" or "never", not ${describeGiven(scripts)}`);
}

function assertTls(tls: unknown): void {
  if (tls === undefined || (typeof tls === "object" && tls !== null && !Array.isArray(tls))) return;
  throw misuse(
    `tls must be an object of TLS settings such as {ca}, not ${describeGiven(tls)}; a rediss:// address alone asks for TLS`,
  );
}

function assertConnectTimeout(valueMs: unknown): void {
  if (valueMs === undefined) return;
  const isInRange =
    Number.isInteger(valueMs) && Number(valueMs) >= 1 && Number(valueMs) <= CONNECT_TIMEOUT_MAX_MS;
  if (isInRange) return;
  throw misuse(
    `connectTimeoutMs must be a whole number of milliseconds from 1 to ${String(CONNECT_TIMEOUT_MAX_MS)}, not ${describeGiven(valueMs)}`,
  );
}

/** Reads the addresses that are written as one string. Pure. */
import { misuse } from "../../misuse.ts";
import { withoutPassword } from "./describe-given.ts";
import type { Access, HostAndPort } from "./endpoint.ts";

const PORT_DEFAULT = 6379;
const DB_PATTERN = /^\/(\d{0,5})$/;
const FAMILIES = ["0", "4", "6"];

/** What one address says. */
export type WrittenAddress =
  | { readonly kind: "socket"; readonly path: string }
  | {
      readonly kind: "server";
      readonly at: HostAndPort;
      readonly isTls: boolean;
      /** Absent where the address names no user and no password. */
      readonly login: Pick<Access, "username" | "password"> | undefined;
      readonly db: number;
      readonly family: number;
    };

/**
 * @param portDefault for an address without a port: servers and sentinels have different ones.
 * @throws RedlockError `misuse` for what is no address.
 */
export function readAddress(text: string, portDefault: number = PORT_DEFAULT): WrittenAddress {
  if (text.startsWith("/")) return { kind: "socket", path: text };
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol === "unix:" && url.host === "" && url.pathname.length > 1) {
    return { kind: "socket", path: decodeURIComponent(url.pathname) };
  }
  if (url === undefined || (url.protocol !== "redis:" && url.protocol !== "rediss:") || url.hostname === "") {
    throw misuse(
      `"${withoutPassword(text)}" is no Redis address: write redis://host:port, rediss://host:port or unix:///path`,
    );
  }
  return {
    kind: "server",
    at: {
      host: url.hostname.replace(/^\[|\]$/g, "").toLowerCase(),
      port: url.port === "" ? portDefault : Number(url.port),
    },
    isTls: url.protocol === "rediss:",
    login: loginOf(url),
    db: databaseOf(url, text),
    family: familyOf(url, text),
  };
}

function loginOf({ username, password }: URL): Pick<Access, "username" | "password"> | undefined {
  if (username === "" && password === "") return undefined;
  return {
    username: username === "" ? undefined : decodeURIComponent(username),
    password: password === "" ? undefined : decodeURIComponent(password),
  };
}

function databaseOf({ pathname }: URL, text: string): number {
  if (pathname === "") return 0;
  const digits = DB_PATTERN.exec(pathname)?.[1];
  if (digits === undefined) {
    throw misuse(
      `"${withoutPassword(text)}" names the database ${pathname.slice(1)}: a database is a number, as in redis://host:port/1`,
    );
  }
  return Number(digits);
}

function familyOf({ searchParams }: URL, text: string): number {
  for (const [name, value] of searchParams) {
    if (name === "family" && FAMILIES.includes(value)) return Number(value);
    throw misuse(
      `"${withoutPassword(text)}" ends in ${name}=…: an address takes only family=4 or 6; all else goes into createNodes' options`,
    );
  }
  return 0;
}

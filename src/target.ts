/** What a lock is on, as callers name it. Pure. */
import { GUARD_KEY, QUARANTINE_KEY } from "./core/guard-record.ts";
import { misuse } from "./misuse.ts";
import { resourcesOf, type Target } from "./ports/command.ts";

/** What can be locked: one resource by its name, or several at once. */
export type Resources = string | readonly string[];

/** More would make one step of a node too long for everybody else. */
const RESOURCES_MAX = 1000;
/** In UTF-8. A name goes to every node with every command, and into errors and events. */
const NAME_MAX_BYTES = 65_536;
/** With the flag `u` it matches only halves that stand alone. */
const HALF_A_CHARACTER = /\p{Surrogate}/u;

/**
 * Names are sorted and each is taken once, so that all clients ask for the same in the same order. A string is one
 * resource.
 *
 * @throws RedlockError `misuse` for what names no resource.
 */
export function targetFrom(resources: unknown): Target {
  const names: readonly unknown[] = Array.isArray(resources) ? resources : [resources];
  if (!names.every(isName))
    throw misuse("a resource is a string that is not empty, or a list of such strings");
  names.forEach(assertName);
  const reserved = names.find((name) => name === GUARD_KEY || name === QUARANTINE_KEY);
  if (reserved !== undefined) {
    throw misuse(`the key ${reserved} belongs to the restart guard: choose another name for the resource`);
  }
  const [resource, ...others] = [...new Set(names)].toSorted();
  if (resource === undefined || others.length >= RESOURCES_MAX) {
    throw misuse(`a lock is on 1 to ${String(RESOURCES_MAX)} resources, not ${String(names.length)}`);
  }
  return others.length === 0 ? { resource } : { resource, others };
}

/** @throws RedlockError `misuse` for what is not the name of one resource. */
export function resourceFrom(resource: unknown): string {
  if (Array.isArray(resource)) throw misuse("one resource is asked for at a time: a string, not a list");
  return targetFrom(resource).resource;
}

function isName(name: unknown): name is string {
  return typeof name === "string" && name !== "";
}

function assertName(name: string): void {
  if (Buffer.byteLength(name) > NAME_MAX_BYTES) {
    throw misuse("the name of a resource is at most 64 KiB long, in UTF-8: lock a hash of it instead");
  }
  if (!HALF_A_CHARACTER.test(name)) return;
  throw misuse("the name of a resource holds half of a surrogate pair, which UTF-8 cannot tell from another");
}

/** How errors and events name what a lock is on. */
export function targetText(target: Target): string {
  return resourcesOf(target).join(", ");
}

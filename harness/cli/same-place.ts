/** Whether two paths lead to one place: what is read must not be written over. */
import { existsSync, realpathSync } from "node:fs";
import { resolve } from "node:path";

export function isSamePlace(left: string, right: string): boolean {
  return placeOf(left) === placeOf(right);
}

function placeOf(path: string): string {
  return existsSync(path) ? realpathSync(path) : resolve(path);
}

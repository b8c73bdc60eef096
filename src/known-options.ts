/** What options have in common: they are an object, and every name in it is known. Pure. */
import { misuse } from "./misuse.ts";
import { describeGiven } from "./redis/connect/describe-given.ts";

/**
 * @param owner what takes the options, as it begins the sentence: `acquire`, `createNodes`.
 * @throws RedlockError `misuse`: a misspelt option would be left out in silence.
 */
export function assertKnownOptions(
  owner: string,
  options: unknown,
  names: readonly string[],
): asserts options is object {
  if (typeof options !== "object" || options === null || Array.isArray(options)) {
    throw misuse(`the options of ${owner} are an object, not ${describeGiven(options)}`);
  }
  const unknownName = Object.keys(options).find((name) => !names.includes(name));
  if (unknownName !== undefined) {
    throw misuse(`${owner} has no option ${unknownName}: it takes ${names.join(", ")}`);
  }
}

/** A value in a sentence: a number as it stands, anything else with what it is. */
export function shown(value: unknown): string {
  return typeof value === "number" ? String(value) : describeGiven(value);
}

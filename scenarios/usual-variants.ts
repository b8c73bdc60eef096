/** Ways out that several stories try, and what they come to. */
import type { Variant } from "../harness/scenario/scenario.ts";

/** Where two believe at once fencing protects the resource, and not the lock. */
export const BOTH_BELIEVE_FENCED: Variant = {
  name: "fenced",
  summary: "Both believe at once, and the resource refuses the older token.",
  settings: { fencing: true },
  expect: { declared: "invalid", actual: "invalid", danger: "invalid" },
};

/** Where the lock kept its promise, and its old holder writes all the same. */
export const LATE_WRITE_FENCED: Variant = {
  name: "fenced",
  summary: "The resource refuses the older fencing token.",
  settings: { fencing: true },
  expect: { actual: "invalid" },
};

/** Where one node forgets that is the only one in common to two quorums of three. */
export const FOUR_VOTES: Variant = {
  name: "quorum-4",
  summary: "Four votes of five: three shared nodes, one may forget.",
  settings: { quorum: 4 },
  expect: {},
};

/** Where what was forgotten is seen by the node's guard. */
export const GUARDED: Variant = {
  name: "guarded",
  summary: "The restart guard: a node that may have forgotten casts no vote for the longest lifetime.",
  settings: { restartGuard: true },
  expect: {},
};

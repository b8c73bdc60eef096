/**
 * The questions that are asked of every history (docs/checkers.md).
 *
 * - `declared`: did two workers believe at once, as the library vouches? (I1)
 * - `actual`: were two workers in the critical section at once? (I1)
 * - `danger`: could a rival have won while somebody believed? (I2)
 * - `stale`: did the protected resource accept something stale? (I3)
 * - `tokens`: did fencing tokens grow? (I4)
 * - `hygiene`: was somebody else's key touched, or a key left behind? (I5)
 * - `settling`: did every call come back in time? (L1)
 * - `recovery`: did somebody acquire in time after the trouble was over? (L2)
 * - `progress`: did who tried alone, with nothing in its way, acquire? (L3)
 * - `vacuity`: did the run show what it was made for?
 */
export const CHECKER_NAMES = [
  "declared",
  "actual",
  "danger",
  "stale",
  "tokens",
  "hygiene",
  "settling",
  "recovery",
  "progress",
  "vacuity",
] as const;

export type CheckerName = (typeof CHECKER_NAMES)[number];

/** Checkers of safety; a broken one is exit code 1. */
export const SAFETY_CHECKERS: readonly CheckerName[] = [
  "declared",
  "actual",
  "danger",
  "stale",
  "tokens",
  "hygiene",
];
/** Checkers of liveness; a broken one is exit code 3. */
export const LIVENESS_CHECKERS: readonly CheckerName[] = ["settling", "recovery", "progress"];

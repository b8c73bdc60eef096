/** The laboratory's own stories, by number. */
import type { Scenario } from "../harness/scenario/scenario.ts";
import { clockJump } from "./clocks/s07-clock-jump.ts";
import { commonClockJump } from "./clocks/s08-common-clock-jump.ts";
import { clockSetBack } from "./clocks/s09-clock-set-back.ts";
import { fastNodeClocks } from "./clocks/s10-fast-node-clocks.ts";
import { driftTooSmall } from "./clocks/s11-drift-too-small.ts";
import { wallClockSetBack } from "./clocks/s12-wall-clock-set-back.ts";
import { wallClockSetForward } from "./clocks/s13-wall-clock-set-forward.ts";
import { splitVote } from "./contention/s21-split-vote.ts";
import { evenSplit } from "./contention/s22-even-split.ts";
import { noUndo } from "./contention/s23-no-undo.ts";
import { fencingHolds } from "./fencing/s40-fencing-holds.ts";
import { delayedWrite } from "./network/s05-delayed-write.ts";
import { repliesSlowerThanTtl } from "./network/s06-replies-slower-than-ttl.ts";
import { ghostKey } from "./network/s24-ghost-key.ts";
import { validityFromTheReply } from "./network/s29-validity-from-the-reply.ts";
import { minorityDown } from "./outages/s19-minority-down.ts";
import { majorityDown } from "./outages/s20-majority-down.ts";
import { holderCrash } from "./outages/s53-holder-crash.ts";
import { holderPaused } from "./pauses/s01-holder-paused.ts";
import { pausedWhileAcquiring } from "./pauses/s02-paused-while-acquiring.ts";
import { pausedBeforeTheReturn } from "./pauses/s03-paused-before-the-return.ts";
import { machineSuspended } from "./pauses/s04-machine-suspended.ts";
import { plainDelete } from "./release/s25-plain-delete.ts";
import { getThenDelete } from "./release/s26-get-then-delete.ts";
import { crashWithoutPersistence } from "./restarts/s14-crash-without-persistence.ts";
import { powerLoss } from "./restarts/s15-power-loss.ts";
import { delayedRestart } from "./restarts/s16-delayed-restart.ts";
import { delayUndone } from "./restarts/s17-delay-undone.ts";
import { rollingRestart } from "./restarts/s18-rolling-restart.ts";
import { reusedValue } from "./values/s27-reused-value.ts";
import { mineWithoutRefresh } from "./values/s28-mine-without-refresh.ts";

export const SCENARIOS: readonly Scenario[] = [
  holderPaused,
  pausedWhileAcquiring,
  pausedBeforeTheReturn,
  machineSuspended,
  delayedWrite,
  repliesSlowerThanTtl,
  clockJump,
  commonClockJump,
  clockSetBack,
  fastNodeClocks,
  driftTooSmall,
  wallClockSetBack,
  wallClockSetForward,
  crashWithoutPersistence,
  powerLoss,
  delayedRestart,
  delayUndone,
  rollingRestart,
  minorityDown,
  majorityDown,
  splitVote,
  evenSplit,
  noUndo,
  ghostKey,
  plainDelete,
  getThenDelete,
  reusedValue,
  mineWithoutRefresh,
  validityFromTheReply,
  fencingHolds,
  holderCrash,
];

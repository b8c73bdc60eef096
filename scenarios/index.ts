/** The laboratory's own stories, by number. */
import type { Scenario } from "../harness/scenario/scenario.ts";
import { clockJump } from "./clocks/s07-clock-jump.ts";
import { fencingHolds } from "./fencing/s40-fencing-holds.ts";
import { minorityDown } from "./outages/s19-minority-down.ts";
import { majorityDown } from "./outages/s20-majority-down.ts";
import { holderCrash } from "./outages/s53-holder-crash.ts";
import { holderPaused } from "./pauses/s01-holder-paused.ts";
import { crashWithoutPersistence } from "./restarts/s14-crash-without-persistence.ts";
import { powerLoss } from "./restarts/s15-power-loss.ts";
import { delayedRestart } from "./restarts/s16-delayed-restart.ts";

export const SCENARIOS: readonly Scenario[] = [
  holderPaused,
  clockJump,
  crashWithoutPersistence,
  powerLoss,
  delayedRestart,
  minorityDown,
  majorityDown,
  fencingHolds,
  holderCrash,
];

/** The laboratory's own stories, by number. */
import type { Scenario } from "../harness/scenario/scenario.ts";
import { eviction } from "./amnesia/s44-eviction.ts";
import { emptiedWithoutRestart } from "./amnesia/s45-emptied-without-restart.ts";
import { clockJump } from "./clocks/s07-clock-jump.ts";
import { commonClockJump } from "./clocks/s08-common-clock-jump.ts";
import { clockSetBack } from "./clocks/s09-clock-set-back.ts";
import { fastNodeClocks } from "./clocks/s10-fast-node-clocks.ts";
import { driftTooSmall } from "./clocks/s11-drift-too-small.ts";
import { wallClockSetBack } from "./clocks/s12-wall-clock-set-back.ts";
import { wallClockSetForward } from "./clocks/s13-wall-clock-set-forward.ts";
import { slewedClocks } from "./clocks/s57-slewed-clocks.ts";
import { splitVote } from "./contention/s21-split-vote.ts";
import { evenSplit } from "./contention/s22-even-split.ts";
import { noUndo } from "./contention/s23-no-undo.ts";
import { thunderingHerd } from "./contention/s56-thundering-herd.ts";
import { handOverInPlace } from "./contention/s64-hand-over-in-place.ts";
import { extensionAtTheEdge } from "./extension/s30-extension-at-the-edge.ts";
import { extensionAfterALoss } from "./extension/s31-extension-after-a-loss.ts";
import { endlessExtension } from "./extension/s32-endless-extension.ts";
import { lateRenewal } from "./extension/s33-late-renewal.ts";
import { undoOfALostRenewal } from "./extension/s58-undo-of-a-lost-renewal.ts";
import { sweepOfAWonRound } from "./extension/s59-sweep-of-a-won-round.ts";
import { shorteningExtension } from "./extension/s60-shortening-extension.ts";
import { reseedRacesARelease } from "./extension/s61-reseed-races-a-release.ts";
import { counterRewinds } from "./fencing/s38-counter-rewinds.ts";
import { countersOnTheNodes } from "./fencing/s39-counters-on-the-nodes.ts";
import { fencingHolds } from "./fencing/s40-fencing-holds.ts";
import { fencingOnWritesOnly } from "./fencing/s41-fencing-on-writes-only.ts";
import { stampsWithoutOrder } from "./fencing/s42-stamps-without-order.ts";
import { quorumOfTheVisible } from "./membership/s48-quorum-of-the-visible.ts";
import { membershipChange } from "./membership/s49-membership-change.ts";
import { oneProcessForAll } from "./membership/s50-one-process-for-all.ts";
import { delayedWrite } from "./network/s05-delayed-write.ts";
import { repliesSlowerThanTtl } from "./network/s06-replies-slower-than-ttl.ts";
import { ghostKey } from "./network/s24-ghost-key.ts";
import { validityFromTheReply } from "./network/s29-validity-from-the-reply.ts";
import { repliesLost } from "./network/s51-replies-lost.ts";
import { clientResends } from "./network/s52-client-resends.ts";
import { farClient } from "./network/s54-far-client.ts";
import { lateSet } from "./network/s63-late-set.ts";
import { lateReplies } from "./network/s65-late-replies.ts";
import { minorityDown } from "./outages/s19-minority-down.ts";
import { majorityDown } from "./outages/s20-majority-down.ts";
import { stalledMajority } from "./outages/s43-stalled-majority.ts";
import { holderCrash } from "./outages/s53-holder-crash.ts";
import { holderPaused } from "./pauses/s01-holder-paused.ts";
import { pausedWhileAcquiring } from "./pauses/s02-paused-while-acquiring.ts";
import { pausedBeforeTheReturn } from "./pauses/s03-paused-before-the-return.ts";
import { machineSuspended } from "./pauses/s04-machine-suspended.ts";
import { blockedEventLoop } from "./pauses/s55-blocked-event-loop.ts";
import { plainDelete } from "./release/s25-plain-delete.ts";
import { getThenDelete } from "./release/s26-get-then-delete.ts";
import { releaseOutOfReach } from "./release/s34-release-out-of-reach.ts";
import { scriptsFlushed } from "./release/s46-scripts-flushed.ts";
import { failOver } from "./replication/s35-fail-over.ts";
import { waitIsNotEnough } from "./replication/s36-wait-is-not-enough.ts";
import { replicatedPairs } from "./replication/s37-replicated-pairs.ts";
import { stateFromAReplica } from "./replication/s47-state-from-a-replica.ts";
import { crashWithoutPersistence } from "./restarts/s14-crash-without-persistence.ts";
import { powerLoss } from "./restarts/s15-power-loss.ts";
import { delayedRestart } from "./restarts/s16-delayed-restart.ts";
import { delayUndone } from "./restarts/s17-delay-undone.ts";
import { rollingRestart } from "./restarts/s18-rolling-restart.ts";
import { truncatedUptime } from "./restarts/s62-truncated-uptime.ts";
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
  extensionAtTheEdge,
  extensionAfterALoss,
  endlessExtension,
  lateRenewal,
  releaseOutOfReach,
  failOver,
  waitIsNotEnough,
  replicatedPairs,
  counterRewinds,
  countersOnTheNodes,
  fencingHolds,
  fencingOnWritesOnly,
  stampsWithoutOrder,
  stalledMajority,
  eviction,
  emptiedWithoutRestart,
  scriptsFlushed,
  stateFromAReplica,
  quorumOfTheVisible,
  membershipChange,
  oneProcessForAll,
  repliesLost,
  clientResends,
  holderCrash,
  farClient,
  blockedEventLoop,
  thunderingHerd,
  slewedClocks,
  undoOfALostRenewal,
  sweepOfAWonRound,
  shorteningExtension,
  reseedRacesARelease,
  truncatedUptime,
  lateSet,
  handOverInPlace,
  lateReplies,
];

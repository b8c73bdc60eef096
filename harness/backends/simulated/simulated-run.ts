/**
 * One run in the virtual world, from the first event to the last look: one synchronous loop, decided by the plan
 * and its seed alone. Nothing here waits for anything, and every run comes to an end.
 */
import { Director } from "../../faults/director.ts";
import type { EventOf, HistoryEvent, WorkerId } from "../../history/event.ts";
import { isGuardKey } from "../../history/guard-silences.ts";
import type { HistoryHeader } from "../../history/history.ts";
import { InfrastructureError } from "../../lab-error.ts";
import { RandomStream } from "../../random/random-stream.ts";
import { longestLifetimeMs } from "../../scenario/longest-lifetime.ts";
import type { RunPlan } from "../../scenario/run-plan.ts";
import type { LabEffect } from "../../strategies/lab-effect.ts";
import { RETRY } from "../../workload/retry.ts";
import type { PlayedRun } from "../backend.ts";
import { EventQueue } from "./event-queue.ts";
import { FaultHand, type Stage } from "./fault-hand.ts";
import { MessageScript } from "./network/message-script.ts";
import { openStage } from "./open-stage.ts";
import { Recorder } from "./recorder.ts";

/** Events that a run may take; the stories of the laboratory take some hundreds to some thousands. */
export const STEPS_MAX = 1_000_000;
/** Actions that may follow from each other in one instant. */
const CONDUCTED_MAX = 1_000;
/** How long the last look waits for deletes that are still on their way. */
const SETTLE_LIMIT_MS = 1500;
const SETTLE_POLL_MS = 20;
/** Virtual time begins with the Unix epoch. */
const STARTED_AT = "1970-01-01T00:00:00.000Z";

type StoryEnd = EventOf<"story-ended">["cause"];

export interface SimulatedPlay extends PlayedRun {
  /** How many events of the virtual world it took; most of them leave no trace in the history. */
  readonly stepCount: number;
  /** Messages between workers and nodes whose fate the plan has decided. */
  readonly messageCount: number;
}

/** @throws InfrastructureError when the run does not come to its end within its bounds. */
export function playSimulatedRun(plan: RunPlan): SimulatedPlay {
  return new SimulatedRun(plan).play();
}

class SimulatedRun {
  readonly #plan: RunPlan;
  readonly #queue = new EventQueue();
  readonly #director: Director;
  readonly #script: MessageScript | undefined;
  readonly #recorder: Recorder;
  readonly #stage: Stage;
  readonly #hand: FaultHand;
  #stepCount = 0;
  /** Something has happened that the director has not been asked about. */
  #hasNews = true;
  /** What the director has said, who does not change its mind without news. */
  #isAskedAnew = true;
  #directedAtMs = 0;
  #overFromMs = Infinity;
  #isOver = false;

  constructor(plan: RunPlan) {
    this.#plan = plan;
    this.#script = plan.messages === undefined ? undefined : new MessageScript(plan.messages);
    this.#director = new Director(plan);
    this.#recorder = new Recorder(this.#queue, (event) => this.#observe(event));
    this.#stage = openStage({
      plan,
      queue: this.#queue,
      random: RandomStream.fromSeed(plan.seed),
      record: this.#recorder.record,
      script: this.#script,
      beforeEffect: this.#director.watchesEffects ? this.#beforeEffect : undefined,
      conduct: this.#conduct,
    });
    this.#hand = new FaultHand(this.#stage, this.#recorder.record);
  }

  play(): SimulatedPlay {
    const { record, events } = this.#recorder;
    const cause = this.#playStory();
    this.#isOver = true;
    record({ kind: "story-ended", cause });
    this.#settle();
    this.#lookAtKeys();
    record({ kind: "run-ended" });
    return {
      header: headerOf(this.#plan),
      events,
      stepCount: this.#stepCount,
      messageCount: this.#script?.count ?? 0,
    };
  }

  #playStory(): StoryEnd {
    const { limitMs } = this.#plan;
    for (;;) {
      this.#conduct();
      if (this.#isAskedAnew) this.#askDirector(limitMs);
      if (this.#queue.nowMs >= this.#overFromMs) return "done";
      if (this.#queue.nowMs >= limitMs) return "limit";
      // What is due at one time comes first where the plan asks for it.
      if (this.#directedAtMs <= this.#queue.nextAtMs) this.#wakeDirector(this.#directedAtMs);
      else this.#step();
    }
  }

  #askDirector(limitMs: number): void {
    this.#isAskedAnew = false;
    this.#directedAtMs = Math.min(this.#director.nextDueMs() ?? limitMs, limitMs);
    this.#overFromMs = this.#director.storyOverFromMs();
  }

  #wakeDirector(atMs: number): void {
    this.#countStep();
    this.#queue.passTo(atMs);
    this.#hasNews = true;
  }

  #step(): void {
    this.#countStep();
    this.#queue.step();
  }

  #countStep(): void {
    this.#stepCount += 1;
    if (this.#stepCount > STEPS_MAX) {
      throw new InfrastructureError(`The simulation did not come to its end in ${STEPS_MAX} steps.`);
    }
  }

  #observe(event: HistoryEvent): void {
    if (this.#isOver) return;
    this.#director.observe(event);
    this.#hasNews = true;
  }

  readonly #beforeEffect = (worker: WorkerId, effect: LabEffect["kind"] | "return"): void => {
    if (effect === "settle" || this.#isOver) return;
    this.#director.observeEffect(worker, effect, this.#queue.nowMs);
    this.#hasNews = true;
  };

  /**
   * Performs what is due; what follows from that at once comes in its turn. A worker that is started or goes on asks
   * again before each of its steps: a fault may stop it between any two.
   */
  readonly #conduct = (): void => {
    if (!this.#hasNews || this.#isOver) return;
    this.#isAskedAnew = true;
    for (let conducted = 0; this.#hasNews; conducted += 1) {
      if (conducted > CONDUCTED_MAX) throw new Error("faults bring about each other without an end");
      this.#hasNews = false;
      for (const action of this.#director.due(this.#queue.nowMs)) this.#hand.perform(action);
    }
  };

  /** Lets undo and release go on until no node holds a key any more, within the limit. */
  #settle(): void {
    const endMs = this.#queue.nowMs + SETTLE_LIMIT_MS;
    while (this.#queue.nowMs < endMs && this.#hasKeys()) {
      const pollAtMs = this.#queue.nowMs + SETTLE_POLL_MS;
      while (this.#queue.nextAtMs <= pollAtMs) this.#step();
      this.#queue.passTo(pollAtMs);
    }
  }

  #hasKeys(): boolean {
    return [...this.#stage.nodes.values()].some(
      ({ server }) => server.isUp && server.findKeys().some(({ resource }) => !isGuardKey(resource)),
    );
  }

  #lookAtKeys(): void {
    for (const { name, server } of this.#stage.nodes.values()) {
      const found = server.isUp ? server.findKeys() : [];
      for (const key of found) this.#recorder.record({ kind: "key-found", node: name, ...key });
    }
  }
}

function headerOf(plan: RunPlan): HistoryHeader {
  const { quorum, ttlMs, nodeTimeoutMs, driftFactor, fencing } = plan.settings;
  return {
    version: 1,
    scenario: plan.scenario,
    variant: plan.variant,
    backend: "simulated",
    seed: plan.seed,
    startedAt: STARTED_AT,
    nodes: plan.nodes,
    workers: plan.workers.map(({ id }) => id),
    quorum,
    ttlMs,
    nodeTimeoutMs,
    driftFactor,
    retryCapMs: RETRY.retryCapMs,
    fencing,
    ...(plan.settings.restartGuard ? { longestLifetimeMs: longestLifetimeMs(plan) } : {}),
    nodeStampUncertaintyMs: 0,
    schedulingGraceMs: slowClockGraceMs(plan),
  };
}

/** The grain of virtual time, which a timer on a clock of another rate may miss. */
const GRACE_MIN_MS = 1;

/** A worker whose clock is slow waits for longer than it means to: by so much at most. */
function slowClockGraceMs({ faults, workers }: RunPlan): number {
  const rates = faults.flatMap(({ fault }) => (fault.kind === "skew-worker-clock" ? [fault.rate] : []));
  if (rates.length === 0) return 0;
  const longestWaitMs = Math.max(...workers.map(({ waitMs, ttlMs }) => waitMs + 2 * ttlMs));
  return Math.max(GRACE_MIN_MS, Math.ceil(longestWaitMs * (1 / Math.min(...rates) - 1)));
}

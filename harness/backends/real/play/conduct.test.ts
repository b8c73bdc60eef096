import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { Action } from "../../../faults/director.ts";
import type { EventBody } from "../../../history/event.ts";
import { InfrastructureError, InterruptedError } from "../../../lab-error.ts";
import { resolvePlan } from "../../../scenario/resolve-plan.ts";
import { after, at, planWorker } from "../../../scenario/story-parts.ts";
import type { Story } from "../../../scenario/run-plan.ts";
import { Conductor } from "./conduct.ts";

let nowMs = 0;

beforeEach(() => {
  nowMs = 0;
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
});

afterEach(() => {
  vi.useRealTimers();
});

const STORY: Story = {
  workers: [],
  faults: [],
  staging: [],
  demands: { contention: false, events: [] },
  limitMs: 1000,
};

function conductorOf(perform: (action: Action) => Promise<void>, signal = new AbortController().signal) {
  const plan = resolvePlan({
    scenario: {
      id: "T01",
      title: "t",
      summary: "t",
      variants: [{ name: "plain", summary: "p", expect: {} }],
      story: (settings) => ({
        ...STORY,
        workers: [planWorker("W1", settings, { startWhen: at(10) })],
        faults: [
          {
            id: "pause",
            when: after({ kind: "worker-started", worker: "W1" }, 20),
            fault: { kind: "pause-worker", worker: "W1", forMs: 100 },
          },
        ],
      }),
    },
    variant: { name: "plain", summary: "p", expect: {} },
    overrides: {},
    seed: "1",
  });
  const conductor = new Conductor({ plan, nowMs: () => nowMs, perform, signal });
  let seq = 0;
  const tell = (body: EventBody): void => conductor.observe({ ...body, seq: seq++, atMs: nowMs });
  return { conductor, tell };
}

async function passTo(toMs: number): Promise<void> {
  const durationMs = toMs - nowMs;
  nowMs = toMs;
  await vi.advanceTimersByTimeAsync(durationMs);
}

describe("Conductor", () => {
  test("what is due by time or by event is performed, and the story ends with its last worker", async () => {
    const performed: string[] = [];
    const { conductor, tell } = conductorOf((action) => {
      performed.push(`${nowMs} ${action.kind}`);
      return Promise.resolve();
    });
    const ended = conductor.play();
    await passTo(9);
    expect(performed).toEqual([]);
    await passTo(10);
    tell({ kind: "worker-started", worker: "W1" });
    await passTo(30);
    tell({ kind: "fault-applied", fault: "pause", nodes: [], workers: ["W1"] });
    await passTo(130);
    expect(performed).toEqual(["10 start-worker", "30 apply-fault", "130 heal-fault"]);
    tell({ kind: "fault-healed", fault: "pause", nodes: [], workers: ["W1"] });
    tell({ kind: "worker-finished", worker: "W1" });
    expect(await ended).toBe("done");
    expect(vi.getTimerCount()).toBe(0);
  });

  test("the time limit ends a story that does not end by itself", async () => {
    const { conductor, tell } = conductorOf(() => Promise.resolve());
    const ended = conductor.play();
    await passTo(10);
    tell({ kind: "worker-started", worker: "W1" });
    await passTo(999);
    await passTo(1001);
    expect(await ended).toBe("limit");
  });

  test("an action that cannot be performed ends it with the reason", async () => {
    const { conductor } = conductorOf(() => Promise.reject(new InfrastructureError("no port")));
    const ended = conductor.play();
    ended.catch(() => undefined);
    await passTo(10);
    await expect(ended).rejects.toThrow("no port");
  });

  test("an abort ends it at once, also one that came before", async () => {
    const controller = new AbortController();
    const { conductor } = conductorOf(() => Promise.resolve(), controller.signal);
    const ended = conductor.play();
    controller.abort();
    await expect(ended).rejects.toBeInstanceOf(InterruptedError);
    expect(vi.getTimerCount()).toBe(0);
    await expect(
      conductorOf(() => Promise.resolve(), controller.signal).conductor.play(),
    ).rejects.toBeInstanceOf(InterruptedError);
  });

  test("an action that is under way is finished before it ends", async () => {
    let finish: (() => void) | undefined;
    const { conductor } = conductorOf(
      () =>
        new Promise((resolve) => {
          finish = resolve;
        }),
    );
    let isOver = false;
    const ended = conductor.play().then(() => {
      isOver = true;
    });
    await passTo(10);
    await passTo(1001);
    expect(isOver).toBe(false);
    finish?.();
    await ended;
  });

  test("an action that fails when everything else is over still ends it with the reason", async () => {
    let failAction: ((reason: Error) => void) | undefined;
    const { conductor } = conductorOf(
      () =>
        new Promise((_resolve, reject) => {
          failAction = reject;
        }),
    );
    const ended = conductor.play();
    ended.catch(() => undefined);
    await passTo(10);
    await passTo(1001);
    failAction?.(new InfrastructureError("the proxy hangs"));
    await expect(ended).rejects.toThrow("the proxy hangs");
  });
});

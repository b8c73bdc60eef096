import { MeterProvider, MetricReader } from "@opentelemetry/sdk-metrics";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { RedlockEvent } from "./events.ts";
import { fakeNodes } from "./fake-node.fixture.ts";
import { type MetricsOptions, recordMetrics } from "./opentelemetry.ts";
import { Redlock } from "./redlock.ts";

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "setImmediate", "hrtime"] });
});

afterEach(() => {
  vi.useRealTimers();
});

/** Reads when it is asked to: the SDK's own readers have timers. */
class PromptReader extends MetricReader {
  protected onForceFlush(): Promise<void> {
    return Promise.resolve();
  }

  protected onShutdown(): Promise<void> {
    return Promise.resolve();
  }
}

/** The real SDK; `read` gives each series as `name attributes`: its sum, or the sum and count of a histogram. */
function metered() {
  const reader = new PromptReader();
  const provider = new MeterProvider({ readers: [reader] });
  const read = async (): Promise<Record<string, unknown>> => {
    const { resourceMetrics } = await reader.collect();
    const metrics = resourceMetrics.scopeMetrics.flatMap((scope) => scope.metrics);
    const points = metrics.flatMap(({ descriptor, dataPoints }) =>
      dataPoints.map(({ attributes, value }) => ({ name: descriptor.name, attributes, value })),
    );
    return Object.fromEntries(
      points.map(({ name, attributes, value }) => [
        [name, ...Object.values(attributes)].join(" "),
        typeof value === "number"
          ? value
          : { count: value.count, sum: "sum" in value ? value.sum : undefined },
      ]),
    );
  };
  return { meter: provider.getMeter("test"), read };
}

describe("recordMetrics", () => {
  test("a lock's life becomes waits, attempts, holds, what was left, margins and a gauge (peers 70, N11)", async () => {
    const { meter, read } = metered();
    const redlock = new Redlock(fakeNodes());
    recordMetrics(redlock, meter);
    const lock = await redlock.acquire("orders", 1000);
    expect(await read()).toMatchObject({ "redlock.held": 1 });
    await redlock.acquire("orders", 1000).catch(() => undefined);
    await vi.advanceTimersByTimeAsync(400);
    await lock.extend(1000);
    await lock.release();
    expect(await read()).toMatchObject({
      "redlock.acquire.duration acquired": { count: 1, sum: 0 },
      "redlock.acquire.duration contended": { count: 1, sum: 0 },
      "redlock.acquire.attempts acquired": { count: 1, sum: 1 },
      "redlock.extensions extended": 1,
      "redlock.hold.duration released": { count: 1, sum: 400 },
      "redlock.hold.validity_left released": { count: 1, sum: 988 },
      "redlock.hold.quorum_margin": { count: 1, sum: expect.any(Number) },
      "redlock.release.duration released": { count: 1, sum: 0 },
      "redlock.held": 0,
    });
  });

  test("an interrupted acquire has a wait and no attempts", async () => {
    const { meter, read } = metered();
    const nodes = fakeNodes();
    for (const node of nodes) node.mode = "silent";
    const redlock = new Redlock(nodes);
    recordMetrics(redlock, meter);
    const acquiring = redlock.acquire("orders", 1000).catch(() => undefined);
    await redlock.close();
    await acquiring;
    const series = await read();
    expect(series).toHaveProperty(["redlock.acquire.duration aborted"]);
    expect(series).not.toHaveProperty(["redlock.acquire.attempts aborted"]);
  });

  test("what happens to nodes is counted by node", async () => {
    const { read, tell } = told();
    tell({ kind: "orphaned", count: 2 });
    tell({ kind: "node-quarantined", node: "A", leftMs: 30_000 });
    tell({ kind: "node-away", node: "B", cause: "ECONNREFUSED" });
    tell({ kind: "node-back", node: "B" });
    tell({ kind: "node-warning", node: "C", message: "evicts keys" });
    tell({ kind: "extend-failed", resource: "orders", value: "v1", code: "lost", votes: [] });
    expect(await read()).toEqual({
      "redlock.orphans": 2,
      "redlock.node.quarantines A": 1,
      "redlock.node.losses B": 1,
      "redlock.node.warnings C": 1,
      "redlock.extensions lost": 1,
    });
  });

  test("resources are told apart only in the groups that the user names", async () => {
    const { meter, read } = metered();
    const redlock = new Redlock(fakeNodes());
    recordMetrics(redlock, meter, { groupOf: (resource) => resource.split("/")[0] ?? resource });
    await redlock.acquire("orders/1", 1000);
    await redlock.acquire("orders/2", 1000);
    await redlock.acquire("invoices/1", 1000);
    expect(await read()).toMatchObject({ "redlock.held orders": 2, "redlock.held invoices": 1 });
  });

  test("ended while locks are held, it takes them off the gauge and records nothing more", async () => {
    const { meter, read } = metered();
    const redlock = new Redlock(fakeNodes());
    const stop = recordMetrics(redlock, meter);
    const lock = await redlock.acquire("orders", 1000);
    stop();
    await lock.release();
    const series = await read();
    expect(series).toMatchObject({ "redlock.held": 0 });
    expect(series).not.toHaveProperty(["redlock.hold.duration released"]);
  });
});

/** The adapter on a coordinator whose events the test makes up. */
function told(options: MetricsOptions = {}) {
  const { meter, read } = metered();
  let tell: (event: RedlockEvent) => void = () => undefined;
  const redlock = {
    observe: (observer: (event: RedlockEvent) => void) => {
      tell = observer;
      return () => undefined;
    },
  };
  recordMetrics(redlock, meter, options);
  return { read, tell };
}

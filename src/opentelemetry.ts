/**
 * A coordinator's events as OpenTelemetry metrics. An entry point of its own: only who imports it needs
 * `@opentelemetry/api`, and that for types alone.
 */
import type { Attributes, Counter, Histogram, Meter, UpDownCounter } from "@opentelemetry/api";
import type { RedlockEvent } from "./events.ts";
import type { Redlock } from "./redlock.ts";

/** How metrics are recorded. */
export interface MetricsOptions {
  /**
   * The value of the attribute `redlock.resource` for a resource. Without it there is no such attribute: one
   * time series for each resource would be too many. Give a group (`orders` for `orders/4711`), not an id.
   */
  readonly groupOf?: (resource: string) => string;
}

interface Instruments {
  readonly wait: Histogram;
  readonly attempts: Histogram;
  readonly extensions: Counter;
  readonly hold: Histogram;
  readonly validityLeft: Histogram;
  readonly quorumMargin: Histogram;
  readonly held: UpDownCounter;
  readonly release: Histogram;
  readonly orphans: Counter;
  readonly quarantines: Counter;
  readonly nodeLosses: Counter;
  readonly nodeWarnings: Counter;
}

/**
 * Records metrics of everything that happens from now on. Names and units are listed in docs/metrics.md.
 *
 * @param meter what `metrics.getMeter("your-service")` of `@opentelemetry/api` gives.
 * @returns a function that ends it; locks that are held then are taken off the gauge.
 */
export function recordMetrics(
  redlock: Pick<Redlock, "observe">,
  meter: Meter,
  { groupOf }: MetricsOptions = {},
): () => void {
  const instruments = instrumentsOf(meter);
  const heldIn = new Map<string | undefined, number>();
  const attributesOf = (group: string | undefined): Attributes =>
    group === undefined ? {} : { "redlock.resource": group };
  const addHeld = (group: string | undefined, change: 1 | -1): void => {
    heldIn.set(group, (heldIn.get(group) ?? 0) + change);
    instruments.held.add(change, attributesOf(group));
  };
  const stop = redlock.observe((event) => {
    const group = "resource" in event ? groupOf?.(event.resource) : undefined;
    record(instruments, event, attributesOf(group));
    if (event.kind === "acquired") addHeld(group, 1);
    if (event.kind === "ended") addHeld(group, -1);
  });
  return () => {
    stop();
    for (const [group, count] of heldIn) instruments.held.add(-count, attributesOf(group));
    heldIn.clear();
  };
}

function instrumentsOf(meter: Meter): Instruments {
  const milliseconds = (name: string, description: string): Histogram =>
    meter.createHistogram(`redlock.${name}`, { description, unit: "ms" });
  const count = (name: string, unit: string, description: string): Counter =>
    meter.createCounter(`redlock.${name}`, { description, unit });
  return {
    wait: milliseconds("acquire.duration", "From the call of acquire to its end"),
    attempts: meter.createHistogram("redlock.acquire.attempts", {
      description: "Rounds that an acquire took",
      unit: "{attempt}",
      advice: { explicitBucketBoundaries: [1, 2, 3, 5, 10, 20, 50, 100] },
    }),
    extensions: count("extensions", "{extension}", "Extensions, by how they ended"),
    hold: milliseconds("hold.duration", "From the grant to the end of a lock"),
    validityLeft: milliseconds("hold.validity_left", "From the end of a lock to its deadline"),
    quorumMargin: meter.createHistogram("redlock.hold.quorum_margin", {
      description: "Nodes beyond the quorum that held the lock at its end",
      unit: "{node}",
      advice: { explicitBucketBoundaries: [-1, 0, 1, 2, 3, 4] },
    }),
    held: meter.createUpDownCounter("redlock.held", {
      description: "Locks that are believed in at the moment",
      unit: "{lock}",
    }),
    release: milliseconds("release.duration", "From the call of release to its outcome"),
    orphans: count("orphans", "{key}", "Keys that may have been left: deletes that were given up"),
    quarantines: count("node.quarantines", "{quarantine}", "Nodes found in quarantine"),
    nodeLosses: count("node.losses", "{loss}", "Nodes that were no longer reached"),
    nodeWarnings: count("node.warnings", "{warning}", "What a node was found to be set up wrong in"),
  };
}

function record(instruments: Instruments, event: RedlockEvent, attributes: Attributes): void {
  switch (event.kind) {
    case "acquire-started":
    case "node-back":
      return;
    case "acquired":
      instruments.wait.record(event.waitedMs, { ...attributes, "redlock.outcome": "acquired" });
      instruments.attempts.record(event.attemptCount, { ...attributes, "redlock.outcome": "acquired" });
      return;
    case "acquire-failed": {
      const withCode = { ...attributes, "redlock.outcome": event.code };
      instruments.wait.record(event.waitedMs, withCode);
      if (event.attemptCount !== undefined) instruments.attempts.record(event.attemptCount, withCode);
      return;
    }
    case "extended":
      instruments.extensions.add(1, { ...attributes, "redlock.outcome": "extended" });
      return;
    case "extend-failed":
      instruments.extensions.add(1, { ...attributes, "redlock.outcome": event.code });
      return;
    case "ended": {
      const withEnding = { ...attributes, "redlock.ending": event.ending };
      instruments.hold.record(event.heldMs, withEnding);
      instruments.validityLeft.record(event.validityLeftMs, withEnding);
      instruments.quorumMargin.record(event.quorumMargin, attributes);
      return;
    }
    case "released":
      instruments.release.record(event.tookMs, { ...attributes, "redlock.outcome": event.outcome });
      return;
    case "orphaned":
      instruments.orphans.add(event.count, attributes);
      return;
    case "node-quarantined":
      instruments.quarantines.add(1, { "redlock.node": event.node });
      return;
    case "node-away":
      instruments.nodeLosses.add(1, { "redlock.node": event.node });
      return;
    case "node-warning":
      instruments.nodeWarnings.add(1, { "redlock.node": event.node });
      return;
    case "finding":
      for (const node of event.finding.nodes) instruments.nodeWarnings.add(1, { "redlock.node": node });
  }
}

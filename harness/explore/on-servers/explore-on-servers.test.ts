import { describe, expect, test } from "vitest";
import type { Backend } from "../../backends/backend.ts";
import { createSimulatedBackend } from "../../backends/simulated/simulated-backend.ts";
import { whyNotOnLocal } from "../../faults/local-capability.ts";
import type { RunPlan } from "../../scenario/run-plan.ts";
import type { DrawOptions } from "../draw-schedule.ts";
import { exploreOnServers, type ServerFindings } from "./explore-on-servers.ts";
import { counterexampleOnServers } from "./shrink-on-servers.ts";

const OPTIONS: DrawOptions = { seed: "1", allow: ["clock-jump"], faultsMax: 4, strategy: "redlock" };

/** So many schedules show that a clock has jumped. */
const ENOUGH = 500;

/** Plays as real servers would, in no time, and counts. `also` are refused, too. */
function servers(also: (plan: RunPlan) => boolean = () => false) {
  const played: RunPlan[] = [];
  const simulated = createSimulatedBackend();
  const backend: Backend = {
    ...simulated,
    name: "local",
    isDeterministic: false,
    whyNot: (plan) => whyNotOnLocal(plan) ?? (also(plan) ? "not today." : undefined),
    play: async (plan, context) => {
      played.push(plan);
      return await simulated.play(plan, context);
    },
  };
  return { backend, played };
}

const search = (
  backend: Backend,
  { options = OPTIONS, scheduleCount = 30, concurrency = 1 } = {},
): Promise<ServerFindings> =>
  exploreOnServers({
    ...{ backend, options, scheduleCount, concurrency },
    signal: new AbortController().signal,
    onProgress: () => undefined,
  });

describe("exploreOnServers", () => {
  test("plays only what the backend can play, as many as were asked for", async () => {
    const { backend, played } = servers();
    const { tally, failed } = await search(backend, { options: { ...OPTIONS, allow: [] } });

    expect(played.map(whyNotOnLocal).filter((reason) => reason !== undefined)).toEqual([]);
    expect(tally.scheduleCount).toBe(30);
    expect(failed).toBeUndefined();
  });

  test("the lowest that fails wins, however many are played at once", async () => {
    const one = await search(servers().backend, { scheduleCount: ENOUGH });
    const four = await search(servers().backend, { scheduleCount: ENOUGH, concurrency: 4 });

    expect(one.failed?.judged.finding?.kind).toBe("unsafe");
    expect(four.failed?.index).toBe(one.failed?.index);
    expect(four.tally).toEqual(one.tally);
  });

  test("a backend that can play nothing ends it all the same", async () => {
    const { tally } = await search(servers(() => true).backend, { scheduleCount: 2 });

    expect(tally.scheduleCount).toBe(0);
  });

  test("an interruption starts nothing more", async () => {
    const controller = new AbortController();
    const { backend, played } = servers();
    await exploreOnServers({
      ...{ backend, options: { ...OPTIONS, allow: [] }, scheduleCount: 10, concurrency: 1 },
      signal: controller.signal,
      onProgress: (count) => {
        if (count === 3) controller.abort();
      },
    });

    expect(played).toHaveLength(3);
  });
});

describe("counterexampleOnServers", () => {
  const failedOf = async (backend: Backend) => {
    const { failed } = await search(backend, { scheduleCount: ENOUGH });
    const finding = failed?.judged.finding;
    if (failed === undefined || finding === undefined) throw new Error("nothing failed");
    return { ...failed, judged: { ...failed.judged, finding } };
  };
  const shrink = async (backend: Backend, failed: Awaited<ReturnType<typeof failedOf>>, nowMs = () => 0) =>
    await counterexampleOnServers(failed, {
      ...{ backend, nowMs, allow: OPTIONS.allow },
      signal: new AbortController().signal,
    });

  test("shrinks in the simulation what fails there too, without playing it on servers again", async () => {
    const { backend, played } = servers();
    const failed = await failedOf(backend);
    const playedBefore = played.length;
    const { plan, isDeterministic } = await shrink(backend, failed);

    expect(played).toHaveLength(playedBefore);
    expect(isDeterministic).toBe(true);
    expect(plan.faults.length).toBeLessThanOrEqual(3);
  });

  test("shrinks on the servers what fails only there, with few tries", async () => {
    const { backend, played } = servers();
    const failed = await failedOf(backend);
    const playedBefore = played.length;
    // What the simulation is asked shows nothing: there the clock never jumps.
    const onlyThere = { ...failed, plan: { ...failed.plan, faults: failed.plan.faults.map(harmless) } };
    const breaking: Backend = {
      ...backend,
      play: (plan, context) => backend.play({ ...plan, faults: plan.faults.map(harmful) }, context),
    };
    const { plan, isDeterministic, triesCount } = await shrink(breaking, onlyThere);

    expect(isDeterministic).toBeNull();
    expect(triesCount).toBe(played.length - playedBefore);
    expect(triesCount).toBeLessThanOrEqual(30);
    expect(plan.workers.length + plan.faults.length).toBeLessThan(
      failed.plan.workers.length + failed.plan.faults.length,
    );
  });

  test("stops trying when the time is up", async () => {
    const { backend, played } = servers();
    const failed = await failedOf(backend);
    const playedBefore = played.length;
    const harmlessPlan = { ...failed.plan, faults: failed.plan.faults.map(harmless) };
    let nowMs = 0;
    const { triesCount } = await shrink(backend, { ...failed, plan: harmlessPlan }, () => {
      nowMs += 50_000;
      return nowMs;
    });

    expect(played.length - playedBefore).toBe(triesCount);
    expect(triesCount).toBeLessThanOrEqual(2);
  });
});

type Planned = RunPlan["faults"][number];

const harmless = (planned: Planned): Planned =>
  planned.fault.kind === "jump-clock" ? { ...planned, fault: { ...planned.fault, byMs: 0 } } : planned;
const harmful = (planned: Planned): Planned =>
  planned.fault.kind === "jump-clock" ? { ...planned, fault: { ...planned.fault, byMs: 5_000 } } : planned;

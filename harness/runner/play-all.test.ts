import { describe, expect, test } from "vitest";
import type { Backend } from "../backends/backend.ts";
import { InfrastructureError, UsageError } from "../lab-error.ts";
import type { RunPlan, StagingCondition } from "../scenario/run-plan.ts";
import type { Variant } from "../scenario/scenario.ts";
import type { LabRequest, Progress } from "./lab-request.ts";
import { playAll } from "./play-all.ts";
import {
  checkersThatSay,
  eventsOf,
  fakeBackend,
  grantedBy,
  HEADER,
  invalid,
  scenarioWith,
  storyWith,
} from "./runner.fixture.ts";

const BY_ABC: StagingCondition = { kind: "granted-by", worker: "W1", nodes: ["A", "B", "C"] };
const WELL_STAGED = eventsOf(grantedBy("W1", "A", "B", "C"), { kind: "run-ended" });
const BADLY_STAGED = eventsOf(grantedBy("W1", "A", "B"), { kind: "run-ended" });

const staged = scenarioWith({ story: () => storyWith([BY_ABC]) });
const variant = (name: string): Variant => ({ name, summary: name, expect: {} });

function requestWith(change: Partial<LabRequest> = {}): LabRequest {
  return {
    scenarios: [scenarioWith()],
    named: true,
    variants: [],
    backend: fakeBackend(() => WELL_STAGED),
    overrides: {},
    repeat: 1,
    concurrency: 1,
    seed: "1",
    signal: new AbortController().signal,
    onProgress: () => {},
    ...change,
  };
}

describe("playAll", () => {
  test("gives all that decided the run with its verdict", async () => {
    const [result] = await playAll(requestWith(), checkersThatSay());

    expect(result).toMatchObject({
      version: 1,
      scenario: "S01",
      title: "A title",
      variant: "plain",
      summary: "As it is told.",
      backend: "fake",
      seed: "1",
      repetition: 1,
      outcome: "matched",
      stagings: ["The story came about."],
      durationMs: 10,
      replay: "redlock-lab run S01 --variant plain --backend fake --seed 1",
      header: HEADER,
      events: WELL_STAGED,
    });
    expect(result?.plan?.nodes).toEqual(["A", "B", "C", "D", "E"]);
  });

  test("gives the results in the order asked for, whichever run ends first", async () => {
    const scenarios = [
      scenarioWith({ variants: [variant("slow"), variant("quick")] }),
      scenarioWith({ id: "S02" }),
    ];
    let letGo = () => {};
    const held = new Promise<void>((resolve) => {
      letGo = resolve;
    });
    const backend = fakeBackend(async (plan) => {
      if (plan.variant === "slow") await held;
      if (plan.scenario === "S02") letGo();
      return WELL_STAGED;
    });

    const results = await playAll(requestWith({ scenarios, backend, concurrency: 3 }), checkersThatSay());

    expect(results.map(({ scenario, variant: name }) => `${scenario} ${name}`)).toEqual([
      "S01 slow",
      "S01 quick",
      "S02 plain",
    ]);
  });

  test("never plays more at once than asked for", async () => {
    let playing = 0;
    let most = 0;
    const backend = fakeBackend(async () => {
      playing += 1;
      most = Math.max(most, playing);
      await Promise.resolve();
      playing -= 1;
      return WELL_STAGED;
    });

    await playAll(requestWith({ backend, repeat: 8, concurrency: 2 }), checkersThatSay());

    expect(most).toBe(2);
  });

  test("each repetition has a seed of its own, by which it can be repeated alone", async () => {
    const results = await playAll(requestWith({ repeat: 3, seed: "7" }), checkersThatSay());

    expect(results.map(({ seed }) => seed)).toEqual(["7", "7-2", "7-3"]);
    expect(results.map(({ repetition }) => repetition)).toEqual([1, 2, 3]);
    expect(results[2]?.replay).toContain("--seed 7-3");
  });

  test("plays the variants that were picked", async () => {
    const scenarios = [
      scenarioWith({ variants: [variant("plain"), variant("fenced")] }),
      scenarioWith({ id: "S02" }),
    ];

    const results = await playAll(requestWith({ scenarios, variants: ["fenced"] }), checkersThatSay());

    expect(results.map(({ variant: name }) => name)).toEqual(["fenced"]);
  });

  test("a variant that no scenario has is refused before anything starts", async () => {
    const backend = fakeBackend(() => WELL_STAGED);

    await expect(playAll(requestWith({ backend, variants: ["fenecd"] }), checkersThatSay())).rejects.toThrow(
      new UsageError("There is no variant fenecd: S01 has plain."),
    );
    expect(backend.played).toEqual([]);
  });

  test("settings that cannot work are refused before anything starts", async () => {
    await expect(playAll(requestWith({ overrides: { quorum: 2 } }), checkersThatSay())).rejects.toThrow(
      UsageError,
    );
  });

  test("puts a strategy on trial: what was expected to break is excused, what has to hold is not", async () => {
    const broken: Variant = { ...variant("broken"), expect: { declared: "invalid" } };
    const scenarios = [scenarioWith({ variants: [broken] })];
    const request = requestWith({ scenarios, strategy: "mutant:plain-del" });

    const [held] = await playAll(request, checkersThatSay());
    const [violated] = await playAll(request, checkersThatSay({ hygiene: invalid("W1 deleted W2's key.") }));

    expect(held).toMatchObject({ outcome: "matched", plan: { strategy: "mutant:plain-del" } });
    expect(held?.replay).toContain(" --strategy mutant:plain-del");
    expect(violated).toMatchObject({ outcome: "violated" });
  });

  test("a variant that is told for another strategy puts nothing else on trial", async () => {
    const told = { ...variant("told"), strategy: "mutant:no-undo" };
    const scenarios = [scenarioWith({ variants: [variant("plain"), told] })];
    const tried = async (strategy: string) =>
      (await playAll(requestWith({ scenarios, strategy }), checkersThatSay())).map((run) => run.variant);

    expect(await tried("mutant:no-undo")).toEqual(["plain", "told"]);
    expect(await tried("mutant:plain-del")).toEqual(["plain"]);
    await expect(
      playAll(requestWith({ scenarios, strategy: "redlock", variants: ["told"] }), checkersThatSay()),
    ).rejects.toThrow("Every variant that was asked for is told for another strategy than redlock.");
  });

  test("a lock on one master is put on trial with one master", async () => {
    const backend = fakeBackend(() => WELL_STAGED);
    const scenarios = [scenarioWith({ story: () => ({ ...storyWith(), faults: [] }) })];

    await playAll(requestWith({ backend, scenarios, strategy: "replicated-wait" }), checkersThatSay());

    expect(backend.played[0]).toMatchObject({
      nodes: ["A"],
      settings: { nodeCount: 1, quorum: 1, replicaCount: 1 },
    });
  });

  test("a strategy that is none is refused before anything starts", async () => {
    const backend = fakeBackend(() => WELL_STAGED);

    await expect(
      playAll(requestWith({ backend, strategy: "mutant:none" }), checkersThatSay()),
    ).rejects.toThrow(/^There is no strategy "mutant:none"\. There are: redlock, /);
    expect(backend.played).toEqual([]);
  });

  test("a variant with a strategy that is none is refused as a story with a mistake is", async () => {
    const scenarios = [scenarioWith({ variants: [{ ...variant("own"), strategy: "paxos" }] })];

    await expect(playAll(requestWith({ scenarios }), checkersThatSay())).rejects.toThrow(UsageError);
    const [skipped] = await playAll(requestWith({ scenarios, named: false }), checkersThatSay());
    expect(skipped).toMatchObject({ outcome: "skipped", plan: undefined });
  });

  test("tells its progress", async () => {
    const told: string[] = [];
    const onProgress = (progress: Progress) => told.push(progress.kind);
    const backend = fakeBackend((_, count) => (count === 1 ? BADLY_STAGED : WELL_STAGED));

    await playAll(requestWith({ scenarios: [staged], backend, onProgress }), checkersThatSay());

    expect(told).toEqual(["run-started", "run-staged-again", "run-finished"]);
  });
});

describe("what cannot be played", () => {
  const whyNot: Backend["whyNot"] = () => "clocks cannot be moved here.";

  test.each([
    [true, "inconclusive"],
    [false, "skipped"],
  ])("named %s: is %s, with the reason", async (named, outcome) => {
    const backend = fakeBackend(() => WELL_STAGED, whyNot);

    const [result] = await playAll(requestWith({ backend, named }), checkersThatSay());

    expect(backend.played).toEqual([]);
    expect(result).toMatchObject({
      outcome,
      reason: "The fake backend cannot play it: clocks cannot be moved here.",
      stagings: [],
    });
  });

  const untold = scenarioWith({
    story: (): never => {
      throw new UsageError("S01 needs more nodes.");
    },
  });

  test("a story that was named and cannot be told with these settings is refused", async () => {
    await expect(playAll(requestWith({ scenarios: [untold] }), checkersThatSay())).rejects.toThrow(
      new UsageError("S01 needs more nodes."),
    );
  });

  test("a story that cannot be told is skipped where everything was asked for", async () => {
    const scenarios = [untold, scenarioWith({ id: "S02" })];

    const results = await playAll(requestWith({ scenarios, named: false }), checkersThatSay());

    expect(results.map(({ outcome }) => outcome)).toEqual(["skipped", "matched"]);
    expect(results[0]).toMatchObject({ reason: "S01 needs more nodes.", plan: undefined });
  });
});

describe("a run that fails", () => {
  const failing = (cause: unknown) =>
    fakeBackend((plan: RunPlan) => {
      if (plan.scenario === "S01") throw cause;
      return WELL_STAGED;
    });
  const scenarios = [scenarioWith(), scenarioWith({ id: "S02" })];

  test.each([
    [new InfrastructureError("Port 20000 is taken."), "Port 20000 is taken."],
    [new TypeError("x is not a function"), "x is not a function"],
    ["something else", "something else"],
  ])("says why and lets the others go on", async (cause, reason) => {
    const results = await playAll(requestWith({ scenarios, backend: failing(cause) }), checkersThatSay());

    expect(results.map(({ outcome }) => outcome)).toEqual(["infrastructure", "matched"]);
    expect(results[0]?.reason).toBe(reason);
  });

  test("a bug in the listener comes out only when nothing goes on any more", async () => {
    const backend = fakeBackend(() => WELL_STAGED);
    const onProgress = ({ kind }: Progress) => {
      if (kind === "run-finished") throw new Error("closed pipe");
    };

    await expect(playAll(requestWith({ scenarios, backend, onProgress }), checkersThatSay())).rejects.toThrow(
      "closed pipe",
    );
    expect(backend.played).toHaveLength(2);
  });
});

describe("the signal", () => {
  test("keeps what had finished and starts nothing more", async () => {
    const controller = new AbortController();
    const backend = fakeBackend((_, count) => {
      if (count === 2) controller.abort();
      return WELL_STAGED;
    });

    const results = await playAll(
      requestWith({ backend, repeat: 4, signal: controller.signal }),
      checkersThatSay(),
    );

    expect(backend.played).toHaveLength(2);
    expect(results.map(({ repetition }) => repetition)).toEqual([1]);
  });

  test("a run that fails because of it is no failure", async () => {
    const controller = new AbortController();
    const backend = fakeBackend(() => {
      controller.abort();
      throw new InfrastructureError("The server is gone.");
    });

    expect(await playAll(requestWith({ backend, signal: controller.signal }), checkersThatSay())).toEqual([]);
  });
});

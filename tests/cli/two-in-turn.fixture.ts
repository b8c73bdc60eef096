/** A story as a user would write one: everything comes from the package. */
import { after, at, defineScenario, planWorker } from "redlock-lab";

export const scenario = defineScenario({
  id: "two-in-turn",
  title: "Two workers in turn",
  summary: "W2 waits while W1 works.",
  story: (settings) => ({
    workers: [
      planWorker("W1", settings, { startWhen: at(0) }),
      planWorker("W2", settings, {
        startWhen: after({ kind: "acquire-granted", worker: "W1" }),
        waitMs: settings.ttlMs,
      }),
    ],
    faults: [],
    staging: [],
    demands: { contention: true, events: [] },
    limitMs: 5000,
  }),
  variants: [{ name: "plain", summary: "One after the other.", expect: {} }],
});

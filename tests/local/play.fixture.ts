/** Plays a small story on real servers. The compiled workers have to be there: `npm run build`. */
import { createLocalBackend } from "../../harness/backends/local/local-backend.ts";
import type { Fault, PlannedFault } from "../../harness/faults/fault.ts";
import type { EventKind, EventOf, HistoryEvent } from "../../harness/history/event.ts";
import type { LabSettings } from "../../harness/scenario/lab-settings.ts";
import { resolvePlan } from "../../harness/scenario/resolve-plan.ts";
import { after, at, planWorker } from "../../harness/scenario/story-parts.ts";
import type { WorkerPlan } from "../../harness/workload/worker-plan.ts";

export interface SmallStory {
  readonly settings?: Partial<LabSettings>;
  readonly workers?: readonly (Partial<WorkerPlan> & Pick<WorkerPlan, "id">)[];
  readonly faults?: readonly PlannedFault[];
}

/** The fault, applied when W1 has been granted. */
export function onceGranted(fault: Fault, id: string = fault.kind): PlannedFault {
  return { id, when: after({ kind: "acquire-granted", worker: "W1" }), fault };
}

/** One worker, W1, unless others are given; they start at once. */
export async function playOnServers({
  settings: given = {},
  workers = [{ id: "W1" }],
  faults = [],
}: SmallStory) {
  const variant = { name: "plain", summary: "p", expect: {} };
  const plan = resolvePlan({
    scenario: {
      ...{ id: "T01", title: "t", summary: "t", settings: given, variants: [variant] },
      story: (settings) => ({
        workers: workers.map(({ id, ...rest }) =>
          planWorker(id, settings, { startWhen: at(0), workMs: 150, ...rest }),
        ),
        ...{ faults, staging: [], demands: { contention: false, events: [] }, limitMs: 5000 },
      }),
    },
    ...{ variant, overrides: {}, seed: "1" },
  });
  const backend = await createLocalBackend();
  const { events } = await backend.play(plan, { signal: new AbortController().signal });
  const all = <Kind extends EventKind>(kind: Kind): readonly EventOf<Kind>[] =>
    events.filter((event): event is HistoryEvent & EventOf<Kind> => event.kind === kind);
  return { events, all };
}

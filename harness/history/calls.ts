/** Calls of workers into the coordinator, each with its return if there was one. */
import type { RedlockErrorCode } from "../../src/errors.ts";
import type { CallId, HistoryEvent, HoldId, WorkerId } from "./event.ts";
import type { History } from "./history.ts";
import { type Moment, momentOf } from "./moment.ts";
import { oncePerHistory } from "./once-per-history.ts";

export interface CallReturn {
  readonly moment: Moment;
  /** Why it failed; absent where it did not. */
  readonly code: RedlockErrorCode | undefined;
}

interface CallBase {
  readonly id: CallId;
  readonly worker: WorkerId;
  readonly invoked: Moment;
  /** Absent while the call is open. */
  readonly returned: CallReturn | undefined;
}

export type AcquireCall = CallBase & {
  readonly kind: "acquire";
  readonly resource: string;
  readonly waitMs: number;
};

export type Call = AcquireCall | (CallBase & { readonly kind: "extend" | "release"; readonly hold: HoldId });

/** All calls, in the order in which they were invoked. */
export const callsOf = oncePerHistory(readCalls);

function readCalls({ events }: History): readonly Call[] {
  const calls = new Map<CallId, Call>();
  for (const event of events) {
    const invoked = invokedCall(event);
    if (invoked !== undefined) calls.set(invoked.id, invoked);
    else if (isReturn(event)) {
      const call = calls.get(event.call);
      if (call !== undefined) calls.set(call.id, { ...call, returned: returnOf(event) });
    }
  }
  return [...calls.values()];
}

/** The acquires among them. */
export const acquiresOf = oncePerHistory((history) => callsOf(history).filter(isAcquire));

function isAcquire(call: Call): call is AcquireCall {
  return call.kind === "acquire";
}

function invokedCall(event: HistoryEvent): Call | undefined {
  const invoked = momentOf(event);
  switch (event.kind) {
    case "acquire-invoked": {
      const { call: id, worker, resource, waitMs } = event;
      return { kind: "acquire", id, worker, resource, waitMs, invoked, returned: undefined };
    }
    case "extend-invoked":
      return {
        kind: "extend",
        id: event.call,
        worker: event.worker,
        hold: event.hold,
        invoked,
        returned: undefined,
      };
    case "release-invoked":
      return {
        kind: "release",
        id: event.call,
        worker: event.worker,
        hold: event.hold,
        invoked,
        returned: undefined,
      };
    default:
      return undefined;
  }
}

function isReturn(event: HistoryEvent): event is Extract<HistoryEvent, { readonly call: CallId }> {
  return "call" in event;
}

function returnOf(event: HistoryEvent): CallReturn {
  return { moment: momentOf(event), code: "code" in event ? event.code : undefined };
}

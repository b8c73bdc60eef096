/** What workers did, as operations in the sense of Jepsen: invoked once, and ended once or never. */
import type { EventOf, HistoryEvent, HoldId, WorkerId } from "../history/event.ts";
import type { History } from "../history/history.ts";
import { type Moment, momentOf } from "../history/moment.ts";
import { ednMap, type EdnValue, keyword } from "./edn-value.ts";
import { type LockOperation, lockOperationsOf } from "./lock-operations.ts";

interface Ending {
  readonly moment: Moment;
  readonly type: "ok" | "fail" | "info";
  readonly value: EdnValue;
}

export interface EdnOperation {
  readonly worker: WorkerId;
  /** `acquire`, `extend`, `release`, `write`. */
  readonly name: string;
  readonly invoked: Moment;
  /** The resource first, then the details: what splits histories by their keys finds the key there. */
  readonly value: EdnValue;
  readonly ending: Ending | undefined;
}

/** Names what an event begins or ends: a call, or a write. */
type OperationId = string;

export function ednOperationsOf(history: History): readonly EdnOperation[] {
  const granted = new Map(
    history.events.flatMap((event) =>
      event.kind === "acquire-granted" ? [[event.hold, event] as const] : [],
    ),
  );
  const locks = lockOperationsOf(history);
  const believed = new Set(locks.map(({ hold }) => hold));
  return [
    ...locks.map((operation) => lockOperation(operation, granted)),
    ...otherOperations(history.events, granted, believed),
  ];
}

function lockOperation(
  { kind, hold, worker, resource, called, returned, because }: LockOperation,
  granted: ReadonlyMap<HoldId, EventOf<"acquire-granted">>,
): EdnOperation {
  const grant = granted.get(hold);
  const details =
    kind === "release"
      ? { hold, because: keyword(because ?? "released") }
      : { hold, "deadline-ms": grant?.deadlineMs, token: tokenOf(grant?.fencingToken) };
  const value = [resource, ednMap(details)];
  const ending = returned === undefined ? undefined : ({ moment: returned, type: "ok", value } as const);
  return {
    worker,
    name: kind,
    invoked: called,
    value: kind === "release" ? value : [resource, null],
    ending,
  };
}

/** All but what `lockOperationsOf` tells. A release of what was over already does nothing to a mutex. */
function otherOperations(
  events: readonly HistoryEvent[],
  granted: ReadonlyMap<HoldId, EventOf<"acquire-granted">>,
  believed: ReadonlySet<HoldId>,
): readonly EdnOperation[] {
  const operations = new Map<OperationId, EdnOperation>();
  const resourceOf = (hold: HoldId): string => granted.get(hold)?.resource ?? "";
  for (const event of events) {
    const id = idOf(event);
    if (id === undefined) continue;
    const begun = beginningIn(event, resourceOf);
    const operation = operations.get(id);
    if (begun !== undefined) operations.set(id, begun);
    else if (event.kind === "acquire-granted" && believed.has(event.hold)) operations.delete(id);
    else if (operation !== undefined) {
      operations.set(id, { ...operation, ending: endingIn(event, operation.value) });
    }
  }
  return [...operations.values()];
}

function idOf(event: HistoryEvent): OperationId | undefined {
  if ("call" in event) return event.call;
  return event.kind === "write-invoked" || event.kind === "write-returned"
    ? `write ${event.write}`
    : undefined;
}

function beginningIn(event: HistoryEvent, resourceOf: (hold: HoldId) => string): EdnOperation | undefined {
  const begun = (worker: WorkerId, name: string, value: EdnValue): EdnOperation => ({
    ...{ worker, name, value },
    invoked: momentOf(event),
    ending: undefined,
  });
  switch (event.kind) {
    case "acquire-invoked":
      return begun(event.worker, "acquire", [event.resource, null]);
    case "extend-invoked":
      return begun(event.worker, "extend", [resourceOf(event.hold), ednMap({ hold: event.hold })]);
    case "write-invoked": {
      const { hold, write } = event;
      return begun(event.worker, "write", [resourceOf(hold), ednMap({ hold, write })]);
    }
    default:
      return undefined;
  }
}

function endingIn(event: HistoryEvent, value: EdnValue): Ending {
  return { moment: momentOf(event), type: endingType(event), value };
}

/** A lock that was handed over past its deadline was never held: to a mutex that acquire failed. */
function endingType(event: HistoryEvent): Ending["type"] {
  switch (event.kind) {
    case "extend-granted":
      return "ok";
    case "write-returned":
      return event.accepted ? "ok" : "fail";
    case "extend-failed":
      // Nodes may have done what was asked.
      return event.code === "unavailable" ? "info" : "fail";
    default:
      return "fail";
  }
}

function tokenOf(digits: string | undefined): bigint | undefined {
  return digits === undefined ? undefined : BigInt(digits);
}

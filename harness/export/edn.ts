/**
 * A history as Jepsen writes it: one map a line, `:invoke` and then `:ok`, `:fail` or `:info`, each process with
 * one operation at a time. Knossos' mutex cannot express that a lock ends by itself, so the end of every belief is
 * written as its release, with what ended it.
 */
import { ednMap, ednText, type EdnValue, keyword } from "./edn-value.ts";
import { ednOperationsOf, type EdnOperation } from "./edn-operations.ts";
import type { HistoryEvent } from "../history/event.ts";
import type { History } from "../history/history.ts";
import { isBefore, type Moment, momentOf } from "../history/moment.ts";

interface Line {
  readonly moment: Moment;
  readonly type: "invoke" | "ok" | "fail" | "info";
  /** Absent for what the laboratory did. */
  readonly operation: EdnOperation | undefined;
  readonly name: string;
  readonly value: EdnValue;
}

const NANOSECONDS_IN_MS = 1_000_000;

export function ednHistory(history: History): string {
  const operations = ednOperationsOf(history);
  const lines = [...history.events.flatMap(disturbanceIn), ...operations.flatMap(linesOf)];
  const processes = new Processes();
  return lines
    .sort(byTime)
    .map(
      (line, index) =>
        `${ednText(
          ednMap({
            index,
            time: Math.round(line.moment.atMs * NANOSECONDS_IN_MS),
            type: keyword(line.type),
            process: line.operation === undefined ? keyword("nemesis") : processes.of(line.operation, line),
            f: keyword(line.name),
            value: line.value,
          }),
        )}\n`,
    )
    .join("");
}

function linesOf(operation: EdnOperation): readonly Line[] {
  const { name, invoked, ending } = operation;
  const invoke: Line = { moment: invoked, type: "invoke", operation, name, value: operation.value };
  if (ending === undefined) return [invoke];
  return [invoke, { ...invoke, moment: ending.moment, type: ending.type, value: ending.value }];
}

/** What a reader needs to understand why: faults, nodes that went and came, processes that stood still or died. */
function disturbanceIn(event: HistoryEvent): readonly Line[] {
  const line = { moment: momentOf(event), type: "info", operation: undefined, name: event.kind } as const;
  switch (event.kind) {
    case "fault-applied":
    case "fault-healed": {
      const { fault, nodes, workers } = event;
      return [{ ...line, value: ednMap({ fault, nodes, workers }) }];
    }
    case "node-down":
    case "node-up":
    case "node-stalled":
    case "node-resumed":
      return [{ ...line, value: event.node }];
    case "worker-paused":
    case "worker-suspended":
    case "worker-resumed":
    case "worker-killed":
      return [{ ...line, value: event.worker }];
    default:
      return [];
  }
}

/** Stable: what has one moment stays in the order in which it was written down. */
function byTime({ moment: left }: Line, { moment: right }: Line): number {
  if (isBefore(left, right)) return -1;
  return isBefore(right, left) ? 1 : 0;
}

/** Jepsen's processes do one thing at a time; a worker that does several at once counts as several. */
class Processes {
  readonly #free = new Map<string, number[]>();
  readonly #busy = new Map<EdnOperation, number>();
  #count = 0;

  of(operation: EdnOperation, { type }: Pick<Line, "type">): number {
    const free = this.#free.get(operation.worker) ?? [];
    this.#free.set(operation.worker, free);
    const known = this.#busy.get(operation);
    if (known !== undefined) {
      // What ended in `info` may still be going on: its process is never heard of again.
      if (type !== "info") free.push(known);
      this.#busy.delete(operation);
      return known;
    }
    const process = free.pop() ?? this.#count++;
    this.#busy.set(operation, process);
    return process;
  }
}

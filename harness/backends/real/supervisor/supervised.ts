/** What a supervisor looks after, and the lines by which the laboratory tells it. Pure. */

export type SupervisorMessage =
  | { readonly kind: "process"; readonly pid: number; readonly startTime: string }
  | { readonly kind: "process-ended"; readonly pid: number }
  /** All processes whose environment carries this label. */
  | { readonly kind: "run"; readonly label: string }
  | { readonly kind: "run-ended"; readonly label: string }
  | { readonly kind: "folder"; readonly path: string }
  | { readonly kind: "folder-removed"; readonly path: string };

export interface Supervised {
  /** Start time by process number. */
  readonly processes: ReadonlyMap<number, string>;
  readonly labels: ReadonlySet<string>;
  readonly folders: ReadonlySet<string>;
}

export const NOTHING_SUPERVISED: Supervised = {
  processes: new Map(),
  labels: new Set(),
  folders: new Set(),
};

export function applyMessage(supervised: Supervised, message: SupervisorMessage): Supervised {
  const { processes, labels, folders } = supervised;
  switch (message.kind) {
    case "process":
      return { ...supervised, processes: new Map(processes).set(message.pid, message.startTime) };
    case "process-ended":
      return { ...supervised, processes: new Map([...processes].filter(([pid]) => pid !== message.pid)) };
    case "run":
      return { ...supervised, labels: new Set([...labels, message.label]) };
    case "run-ended":
      return { ...supervised, labels: without(labels, message.label) };
    case "folder":
      return { ...supervised, folders: new Set([...folders, message.path]) };
    case "folder-removed":
      return { ...supervised, folders: without(folders, message.path) };
  }
}

/** `undefined` for what is no message: half a line of a laboratory that was killed while it wrote. */
export function asSupervisorMessage(message: unknown): SupervisorMessage | undefined {
  if (typeof message !== "object" || message === null || !("kind" in message)) return undefined;
  switch (message.kind) {
    case "process":
      if (!("pid" in message) || typeof message.pid !== "number") return undefined;
      if (!("startTime" in message) || typeof message.startTime !== "string") return undefined;
      return { kind: "process", pid: message.pid, startTime: message.startTime };
    case "process-ended":
      if (!("pid" in message) || typeof message.pid !== "number") return undefined;
      return { kind: "process-ended", pid: message.pid };
    case "run":
    case "run-ended":
      if (!("label" in message) || typeof message.label !== "string") return undefined;
      return { kind: message.kind, label: message.label };
    case "folder":
    case "folder-removed":
      if (!("path" in message) || typeof message.path !== "string") return undefined;
      return { kind: message.kind, path: message.path };
    default:
      return undefined;
  }
}

function without(set: ReadonlySet<string>, left: string): ReadonlySet<string> {
  return new Set([...set].filter((entry) => entry !== left));
}

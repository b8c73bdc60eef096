/** Measures one part after the other; what fails in one of them is a row, and the others go on. */
import { openRig, type Rig } from "../rig/rig.ts";
import type { Bench, Part } from "./part.ts";
import type { AnyRow, FailedRow } from "./row.ts";
import { PEER_NAMES } from "./subject.ts";
import { SubjectProcess } from "./subject-process.ts";

export interface RunOptions {
  readonly parts: ReadonlyMap<string, Part>;
  readonly isShort: boolean;
  /** Where the other libraries are installed; `undefined`: they do not take part. */
  readonly peersFolder: string | undefined;
  /** Ends it where it stands. */
  readonly signal: AbortSignal;
  /** Told of the rows of each part as soon as it has been measured. */
  readonly onRows: (part: string, rows: readonly AnyRow[]) => void;
}

const SHORT_SCALE = 0.25;

/** Resolves when all is measured, or `signal` has aborted; no process is left then. */
export async function runParts(options: RunOptions): Promise<void> {
  const rig = await openRig();
  try {
    for (const [name, part] of options.parts) {
      if (options.signal.aborted) return;
      options.onRows(name, await runPart(name, part, { ...options, rig }));
    }
  } finally {
    await rig.close();
  }
}

/** None where it was ended in between. */
async function runPart(
  name: string,
  part: Part,
  options: RunOptions & { readonly rig: Rig },
): Promise<readonly AnyRow[]> {
  const { signal } = options;
  const opened: SubjectProcess[] = [];
  const failures = (): AnyRow[] => {
    const reasons = new Map<string, FailedRow>();
    for (const { name: subject, failure } of opened) {
      if (failure !== undefined) reasons.set(`${subject} ${failure}`, { figure: name, subject, failure });
    }
    return [...reasons.values()];
  };
  const closeAll = (): void => {
    for (const subject of opened) subject.close();
  };
  signal.addEventListener("abort", closeAll);
  try {
    const rows = await part(benchFor(options, opened));
    return signal.aborted ? [] : [...rows, ...failures()];
  } catch (error) {
    if (signal.aborted) return [];
    const failed = failures();
    const failure = error instanceof Error ? error.message : String(error);
    return failed.length > 0 ? failed : [{ figure: name, subject: "the benchmark", failure }];
  } finally {
    signal.removeEventListener("abort", closeAll);
    closeAll();
  }
}

function benchFor(
  { rig, isShort, peersFolder, signal }: RunOptions & { readonly rig: Rig },
  opened: SubjectProcess[],
): Bench {
  return {
    rig,
    peersFolder: peersFolder ?? "",
    peers: peersFolder === undefined ? [] : PEER_NAMES,
    scale: isShort ? SHORT_SCALE : 1,
    roundCount: isShort ? 3 : 7,
    open: async (name, { retry = false, urls = rig.nodes.map(({ url }) => url) } = {}) => {
      signal.throwIfAborted();
      const subject = await SubjectProcess.start({ name, urls, retry, peersFolder: peersFolder ?? "" });
      opened.push(subject);
      if (signal.aborted) subject.close();
      return subject;
    },
  };
}

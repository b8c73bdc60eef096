/** Ctrl-C: the first asks the runs to end, the second ends the process; a supervisor stops what it leaves. */
import { EXIT_CODES } from "../../report/exit-code.ts";
import type { CliWorld } from "../world.ts";

export interface Interruption {
  readonly signal: AbortSignal;
  /** From here on a signal is nobody's business but the process's own. */
  readonly stopListening: () => void;
}

export function listenForInterruption(
  { onInterrupt, exitNow }: Pick<CliWorld, "onInterrupt" | "exitNow">,
  onFirst: () => void,
): Interruption {
  const controller = new AbortController();
  const stopListening = onInterrupt(() => {
    if (controller.signal.aborted) {
      exitNow(EXIT_CODES.interrupted);
      return;
    }
    onFirst();
    controller.abort();
  });
  return { signal: controller.signal, stopListening };
}

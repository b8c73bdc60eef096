/** What went wrong, as one sentence and an exit code. Stack traces are for those who ask (DEBUG=redlock-lab). */
import { InfrastructureError, InterruptedError, UsageError } from "../lab-error.ts";
import { EXIT_CODES } from "../report/exit-code.ts";

export interface Failure {
  readonly sentence: string;
  readonly exitCode: number;
}

export function failureFrom(cause: unknown): Failure {
  const sentence = oneLine(cause instanceof Error ? cause.message : String(cause));
  if (cause instanceof UsageError) return { sentence, exitCode: EXIT_CODES.usage };
  if (cause instanceof InfrastructureError) return { sentence, exitCode: EXIT_CODES.infrastructure };
  if (cause instanceof InterruptedError) return { sentence, exitCode: EXIT_CODES.interrupted };
  return {
    sentence: `This is a fault of redlock-lab itself: ${sentence} (DEBUG=redlock-lab shows where)`,
    exitCode: EXIT_CODES.infrastructure,
  };
}

/** Long enough for any sentence, short enough for a screen. */
const SENTENCE_CHARACTERS_MAX = 600;

export function oneLine(text: string): string {
  // Messages of other programs may carry control characters that a terminal would act on.
  const line = text.replaceAll(/[\p{Cc}\s]+/gu, " ").trim();
  return line.length > SENTENCE_CHARACTERS_MAX ? `${line.slice(0, SENTENCE_CHARACTERS_MAX)}...` : line;
}

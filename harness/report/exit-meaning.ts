/** What each exit code says, in the words of `--help`. */
import { EXIT_CODES } from "./exit-code.ts";

export const EXIT_MEANINGS: readonly (readonly [code: number, meaning: string])[] = [
  [EXIT_CODES.ok, "every expectation was met, expected violations included"],
  [EXIT_CODES.safety, "safety was violated where nobody expected it"],
  [EXIT_CODES.inconclusive, "inconclusive: nothing was shown, or an expected violation did not show"],
  [EXIT_CODES.liveness, "a bound of liveness was missed"],
  [EXIT_CODES.threshold, "a threshold of yours (--max-p99-ms, --max-recovery-ms) was breached"],
  [EXIT_CODES.nonDeterministic, "two runs of one seed differed"],
  [EXIT_CODES.usage, "arguments, stories or folders that cannot be used"],
  [EXIT_CODES.infrastructure, "a server, a port or a program is missing, or a fault of ours"],
  [EXIT_CODES.interrupted, "interrupted"],
];

export function exitMeaning(code: number): string {
  return EXIT_MEANINGS.find(([known]) => known === code)?.[1] ?? "unknown";
}

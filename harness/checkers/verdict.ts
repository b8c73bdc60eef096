/** A checker's answer. `unknown` means that the history cannot answer the question: that is not a pass. */
export interface Evidence {
  /** One sentence with names and times, for people. */
  readonly sentence: string;
  /** Where to look: a span of run time, and the events that prove it. */
  readonly fromMs: number;
  readonly toMs: number;
  readonly seqs: readonly number[];
}

export type Verdict =
  | { readonly kind: "valid" }
  | { readonly kind: "invalid"; readonly evidence: readonly [Evidence, ...Evidence[]] }
  | { readonly kind: "unknown"; readonly reason: string };

export type VerdictKind = Verdict["kind"];

export const VALID: Verdict = { kind: "valid" };

export const unknown = (reason: string): Verdict => ({ kind: "unknown", reason });

/** `valid` without evidence, else `invalid`. */
export function verdictFromEvidence(evidence: readonly Evidence[]): Verdict {
  const [first, ...others] = evidence;
  return first === undefined ? VALID : { kind: "invalid", evidence: [first, ...others] };
}

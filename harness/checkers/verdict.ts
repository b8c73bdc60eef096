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

/** Pieces of evidence that one verdict carries at most: enough to see what happened. */
export const EVIDENCE_MAX = 100;

/** `valid` without evidence, else `invalid` with the first pieces of it. */
export function verdictFromEvidence(evidence: readonly Evidence[]): Verdict {
  const [first, ...others] = evidence.slice(0, EVIDENCE_MAX);
  return first === undefined ? VALID : { kind: "invalid", evidence: [first, ...others] };
}

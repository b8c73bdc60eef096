/**
 * Where fencing tokens come from. Redlock itself makes none: per-node counters are not monotone even when
 * nothing fails, so the user names a source outside the five nodes.
 */
export interface TokenSource {
  /**
   * Draws the next token for a resource. Each token must be greater than every one drawn before it for the
   * same resource, by anybody. May reject; the acquire is then undone.
   */
  next(resource: string): Promise<bigint>;
}

/** The counter that fencing tokens are drawn from: outside the nodes, and as reliable as nothing real is. */
export class TokenCounter {
  readonly #last = new Map<string, bigint>();

  next(resource: string): bigint {
    const token = (this.#last.get(resource) ?? 0n) + 1n;
    this.#last.set(resource, token);
    return token;
  }
}

/** The counter that fencing tokens are drawn from: outside the nodes. It may lose its last numbers in a fail-over. */
export class TokenCounter {
  readonly #last = new Map<string, bigint>();

  next(resource: string): bigint {
    const token = (this.#last.get(resource) ?? 0n) + 1n;
    this.#last.set(resource, token);
    return token;
  }

  /** A replica takes over that has not heard of the last `lostCount` numbers of each resource. */
  rewind(lostCount: number): void {
    for (const [resource, last] of this.#last) {
      this.#last.set(resource, last > BigInt(lostCount) ? last - BigInt(lostCount) : 0n);
    }
  }
}

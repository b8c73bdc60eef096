/**
 * Counters on a node, kept apart from the locks. They outlive a restart where the node keeps a file, and no loss of
 * power takes anything of them: stories lose counters with a node's memory only.
 */
export class Counters {
  readonly #counts = new Map<string, number>();

  increment(resource: string): number {
    return this.raise(resource, (this.#counts.get(resource) ?? 0) + 1);
  }

  /** Never lowers. */
  raise(resource: string, to: number): number {
    const count = Math.max(this.#counts.get(resource) ?? 0, to);
    this.#counts.set(resource, count);
    return count;
  }

  forget(): void {
    this.#counts.clear();
  }
}

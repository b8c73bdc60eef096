/** Counters on a node, kept apart from the locks: gone with the node's memory, whatever it keeps of its keys. */
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

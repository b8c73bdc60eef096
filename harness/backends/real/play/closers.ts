/** Everything that was opened is closed in reverse order, whatever fails on the way. */
export class Closers {
  readonly #closers: (() => Promise<void> | void)[] = [];

  add(closer: () => Promise<void> | void): void {
    this.#closers.push(closer);
  }

  /** Runs each closer once; the first failure is thrown when all have run. */
  async closeAll(): Promise<void> {
    const failures: unknown[] = [];
    for (let closer = this.#closers.pop(); closer !== undefined; closer = this.#closers.pop()) {
      try {
        await closer();
      } catch (failure) {
        failures.push(failure);
      }
    }
    if (failures.length > 0) throw failures[0];
  }
}

/** Collects what must never happen, each kind of it once, with how often it did. */
export class Defects {
  readonly #counts = new Map<string, number>();

  note(sentence: string): void {
    this.#counts.set(sentence, (this.#counts.get(sentence) ?? 0) + 1);
  }

  get all(): readonly string[] {
    return [...this.#counts].map(([sentence, count]) =>
      count === 1 ? sentence : `${sentence} (${count} times)`,
    );
  }
}

/** Operations on one thing, done one after the other, whatever becomes of those before. */
export class Turns {
  #last: Promise<unknown> = Promise.resolve();

  /** Settles as the operation does, which begins when all that was begun before has ended. */
  take(operation: () => Promise<void>): Promise<void> {
    const done = this.#last.then(operation, operation);
    this.#last = done.catch(() => undefined);
    return done;
  }
}

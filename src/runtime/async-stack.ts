import { AsyncLocalStorage } from "node:async_hooks";

interface Frame<Item> {
  readonly item: Item;
  readonly outer: Frame<Item> | undefined;
}

/** What surrounds the code that runs: everything that it calls, and starts and does not wait for, sees it too. */
export class AsyncStack<Item> {
  readonly #storage = new AsyncLocalStorage<Frame<Item>>();

  /** Runs the body, and all that it starts, with one more item around it. */
  run<Result>(item: Item, body: () => Result): Result {
    return this.#storage.run({ item, outer: this.#storage.getStore() }, body);
  }

  /** The items around the caller, the innermost first. */
  *[Symbol.iterator](): Iterator<Item> {
    for (let frame = this.#storage.getStore(); frame !== undefined; frame = frame.outer) yield frame.item;
  }
}

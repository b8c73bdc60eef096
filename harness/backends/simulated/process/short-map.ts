/**
 * A map for a handful of keys that come and go all the time. A `Map` takes some ten times as long there: it makes
 * itself a new table whenever it has been emptied.
 */
export class ShortMap<Key, Value> {
  readonly #keys: Key[] = [];
  readonly #values: Value[] = [];

  get(key: Key): Value | undefined {
    return this.#values[this.#keys.indexOf(key)];
  }

  set(key: Key, value: Value): void {
    const place = this.#keys.indexOf(key);
    if (place >= 0) {
      this.#values[place] = value;
      return;
    }
    this.#keys.push(key);
    this.#values.push(value);
  }

  /** The last entry takes the place of the one that goes. */
  delete(key: Key): void {
    const place = this.#keys.indexOf(key);
    if (place < 0) return;
    const [lastKey, lastValue] = [this.#keys.pop(), this.#values.pop()];
    if (place === this.#keys.length || lastKey === undefined || lastValue === undefined) return;
    this.#keys[place] = lastKey;
    this.#values[place] = lastValue;
  }
}

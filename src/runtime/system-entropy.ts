import { randomFillSync } from "node:crypto";
import type { Entropy } from "../ports/world.ts";

const VALUE_BYTES = 20;
const POOL_BYTES = VALUE_BYTES * 200;
const UINT32_BYTES = 4;
const UINT32_RANGE = 2 ** 32;

/** Cryptographic random bytes, drawn in pools: one system call serves some hundred values. */
class PooledEntropy implements Entropy {
  readonly #pool = Buffer.alloc(POOL_BYTES);
  #usedBytes = POOL_BYTES;

  value(): string {
    const from = this.#take(VALUE_BYTES);
    return this.#pool.toString("hex", from, from + VALUE_BYTES);
  }

  fraction(): number {
    return this.#pool.readUInt32LE(this.#take(UINT32_BYTES)) / UINT32_RANGE;
  }

  #take(byteCount: number): number {
    if (this.#usedBytes + byteCount > POOL_BYTES) {
      randomFillSync(this.#pool);
      this.#usedBytes = 0;
    }
    const from = this.#usedBytes;
    this.#usedBytes += byteCount;
    return from;
  }
}

export const systemEntropy: Entropy = new PooledEntropy();

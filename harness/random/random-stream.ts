/**
 * Random numbers from streams that are forked by label: a stream depends on the seed and on its own name alone,
 * so one more draw in one place changes nothing elsewhere. The generator is xoshiro128** (Blackman and Vigna);
 * integer arithmetic only, so every machine draws the same. Not for secrets.
 */

const UINT32_RANGE = 2 ** 32;

/** The largest count whose product with 32 random bits is still an exact whole number. */
const COUNT_MAX = 2 ** 21;

export class RandomStream {
  readonly #name: StreamName;
  #s0: number;
  #s1: number;
  #s2: number;
  #s3: number;

  private constructor(name: StreamName) {
    this.#name = name;
    this.#s0 = scatter(name.left);
    this.#s1 = scatter(name.right);
    this.#s2 = scatter(name.left + GOLDEN);
    // Never all zero: from there the generator would not move.
    this.#s3 = scatter(name.right + GOLDEN) | 1;
  }

  /** The root of all streams of a run. */
  static fromSeed(seed: string): RandomStream {
    return new RandomStream(extendName(ROOT, seed));
  }

  /** The stream of that label below this one: the same whenever it is asked for, whatever was drawn before. */
  fork(label: string): RandomStream {
    return new RandomStream(extendName(this.#name, label));
  }

  /** 32 random bits as a whole number from 0. */
  uint32(): number {
    const result = Math.imul(rotateLeft(Math.imul(this.#s1, 5), 7), 9) >>> 0;
    const shifted = this.#s1 << 9;
    this.#s2 ^= this.#s0;
    this.#s3 ^= this.#s1;
    this.#s1 ^= this.#s2;
    this.#s0 ^= this.#s3;
    this.#s2 ^= shifted;
    this.#s3 = rotateLeft(this.#s3, 11);
    return result;
  }

  /** Uniform in [0, 1). */
  fraction(): number {
    return this.uint32() / UINT32_RANGE;
  }

  /** A whole number from 0 to `count - 1`; `count` is from 1 to 2^21. */
  below(count: number): number {
    if (!(count >= 1 && count <= COUNT_MAX)) throw new RangeError(`cannot draw one of ${count}`);
    return Math.floor((this.uint32() * count) / UINT32_RANGE);
  }

  boolean(): boolean {
    return this.uint32() >= UINT32_RANGE / 2;
  }
}

/** What a stream is called: the hash of all labels on the way to it, in two independent halves. */
interface StreamName {
  readonly left: number;
  readonly right: number;
}

const GOLDEN = 0x9e3779b9;
const ROOT: StreamName = { left: 0x811c9dc5, right: 0xc2b2ae35 };
/** Ends a label, so that "a" below "bc" is not "ab" below "c"; no character has this code. */
const END_OF_LABEL = 0x1_0000;

function extendName({ left, right }: StreamName, label: string): StreamName {
  let nextLeft = left;
  let nextRight = right;
  for (let index = 0; index <= label.length; index += 1) {
    const code = index < label.length ? label.charCodeAt(index) : END_OF_LABEL;
    nextLeft = Math.imul(nextLeft ^ code, 0x01000193);
    nextRight = rotateLeft(Math.imul(nextRight ^ code, 0x85ebca6b), 13);
  }
  return { left: nextLeft, right: nextRight };
}

/** Makes every bit of the result depend on every bit of the word (the finish of MurmurHash3). */
function scatter(word: number): number {
  let mixed = word | 0;
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return mixed ^ (mixed >>> 16);
}

function rotateLeft(word: number, count: number): number {
  return (word << count) | (word >>> (32 - count));
}

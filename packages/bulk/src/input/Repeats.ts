/**
 * Finds requests that repeat one of the same input, in 16 bytes of memory a line, or one of another input by a sample.
 */
import { createHash } from "node:crypto"

/** A number of 6 bytes that differs for different strings, except once in 2^48. */
export const fingerprintOf = (text: string): number => createHash("sha1").update(text).digest().readUIntBE(0, 6)

/**
 * Fingerprints that represent an input, and their lines: the lowest ones, so that two inputs with lines in common have some
 * in common.
 */
export type Sample = ReadonlyArray<readonly [fingerprint: number, line: number]>

const sampleSize = 64

/** Adds a fingerprint to a sample. */
export const addToSample = (sample: Array<Sample[number]>, fingerprint: number, line: number): void => {
  if (fingerprint >= (sample[sampleSize - 1]?.[0] ?? Infinity) || sample.some(([known]) => known === fingerprint))
    return
  sample.push([fingerprint, line])
  sample.sort(([one], [other]) => one - other)
  sample.length = Math.min(sample.length, sampleSize)
}

/** Whether more lines than a few of two inputs are the same. */
export const hasRepeats = (one: Sample, other: Sample): boolean => {
  const known = new Set(one.map(([fingerprint]) => fingerprint))
  const common = other.filter(([fingerprint]) => known.has(fingerprint)).length
  return common > 0 && common * 8 >= Math.min(one.length, other.length)
}

/** Remembers fingerprints, as open addresses in one array. */
export class Repeats {
  #slots = new Float64Array(1024)
  #size = 0

  /** Adds a fingerprint, and returns whether it was there already. */
  add(fingerprint: number): boolean {
    if (this.#size * 2 >= this.#slots.length) this.#grow()
    // 0 is an empty slot.
    return !this.#put(fingerprint + 1)
  }

  #put(fingerprint: number): boolean {
    const slots = this.#slots
    let at = fingerprint % slots.length
    for (; slots[at] !== 0; at = (at + 1) % slots.length) if (slots[at] === fingerprint) return false
    slots[at] = fingerprint
    this.#size++
    return true
  }

  #grow(): void {
    const old = this.#slots
    this.#slots = new Float64Array(old.length * 2)
    this.#size = 0
    for (const fingerprint of old) if (fingerprint !== 0) this.#put(fingerprint)
  }
}

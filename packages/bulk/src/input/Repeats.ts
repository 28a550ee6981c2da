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

/** Enough to notice most parts of an input that have one line in a hundred of it. */
const sampleSize = 1024

/** The fingerprint up to which a sample has all those of its input. */
const boundOf = (sample: Sample): number =>
  sample.length < sampleSize ? Infinity : (sample[sampleSize - 1]?.[0] ?? Infinity)

/** Adds a fingerprint to a sample. */
export const addToSample = (sample: Array<Sample[number]>, fingerprint: number, line: number): void => {
  if (fingerprint >= boundOf(sample)) return
  // By halves: most lines of a file of a few thousand are added.
  let [from, to] = [0, sample.length]
  while (from < to) {
    const middle = (from + to) >> 1
    if ((sample[middle]?.[0] ?? Infinity) < fingerprint) from = middle + 1
    else to = middle
  }
  if (sample[from]?.[0] === fingerprint) return
  sample.splice(from, 0, [fingerprint, line])
  sample.length = Math.min(sample.length, sampleSize)
}

/**
 * Whether more than a few lines of an input repeat lines that were sent. Compares only where both samples have all lines of
 * their inputs, so that a small part of a large input is noticed, too.
 */
export const hasRepeats = (sent: Sample, input: Sample, isSent: (line: number) => boolean = () => true): boolean => {
  const bound = Math.min(boundOf(sent), boundOf(input))
  const known = new Set(sent.flatMap(([each, line]) => (each <= bound && isSent(line) ? [each] : [])))
  const compared = input.filter(([each]) => each <= bound)
  const common = compared.filter(([each]) => known.has(each)).length
  return common > 0 && common * 8 >= Math.min(known.size, compared.length)
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

/**
 * Finds requests that repeat an earlier one, in 16 bytes of memory a line.
 */
import { createHash } from "node:crypto"

/** A number of 6 bytes that differs for different strings, except once in 2^48. */
export const fingerprintOf = (text: string): number => createHash("sha1").update(text).digest().readUIntBE(0, 6)

/** Remembers fingerprints of strings, as open addresses in one array. */
export class Repeats {
  #slots = new Float64Array(1024)
  #size = 0

  /** Adds a string, and returns whether it was there already. */
  add(text: string): boolean {
    if (this.#size * 2 >= this.#slots.length) this.#grow()
    // 0 is an empty slot.
    return !this.#put(fingerprintOf(text) + 1)
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

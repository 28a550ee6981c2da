/**
 * All randomness of the fake: pure functions of a seed, so that the same seed gives the same bytes everywhere.
 */

const mix = (value: number): number => {
  let mixed = value | 0
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x21f0aaad)
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97)
  return (mixed ^ (mixed >>> 15)) >>> 0
}

const hex2 = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, "0"))

const hex8 = (value: number): string =>
  `${hex2[value >>> 24]}${hex2[(value >>> 16) & 255]}${hex2[(value >>> 8) & 255]}${hex2[value & 255]}`

/** A number from 0 to 2³²−1 that depends on all parts. */
export const hash = (...parts: ReadonlyArray<number | string>): number => {
  let state = 0x9e3779b9
  for (const part of parts) {
    if (typeof part === "number") {
      state = mix(state ^ (part | 0)) ^ mix(Math.floor(part / 0x100000000) + 0x51ed27)
    } else {
      for (let at = 0; at < part.length; at += 1) state = Math.imul(state ^ part.charCodeAt(at), 0x01000193)
      state = mix(state ^ part.length)
    }
  }
  return state >>> 0
}

/** 16 hexadecimal digits that depend on every character of a string; for comparing strings, not for security. */
export const digest = (text: string): string => {
  let one = 0x9e3779b9
  let other = 0x85ebca6b
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at)
    one = Math.imul(one ^ unit, 0x01000193)
    other = Math.imul(other ^ unit, 0x5bd1e995) + 1
  }
  return hex8(mix(one ^ text.length)) + hex8(mix(other))
}

/** A number of 53 bits that depends on every character of each part: a key for a map that keeps no strings. */
export const fingerprint = (...parts: ReadonlyArray<string>): number => {
  let one = 0x9e3779b9
  let other = 0x85ebca6b
  for (const part of parts) {
    for (let at = 0; at < part.length; at += 1) {
      const unit = part.charCodeAt(at)
      one = Math.imul(one ^ unit, 0x01000193)
      other = Math.imul(other ^ unit, 0x5bd1e995) + 1
    }
    one = mix(one ^ part.length)
  }
  return one * 2 ** 21 + (mix(other) >>> 11)
}

/** A stream of numbers from 0 (included) to 1 (excluded). */
export type Stream = () => number

export const stream = (seed: number): Stream => {
  let state = mix(seed ^ 0x6d2b79f5)
  return () => {
    state = (state + 0x6d2b79f5) | 0
    return mix(state) / 0x100000000
  }
}

/** An integer from `from` to `to`, inclusive. */
export const whole = (random: Stream, from: number, to: number): number => from + Math.floor(random() * (to - from + 1))

export const pick = <Item>(random: Stream, items: readonly [Item, ...ReadonlyArray<Item>]): Item =>
  items[Math.floor(random() * items.length)] ?? items[0]

export const objectIds = (seed: number, kind: string): ((number: number) => string) => {
  const prefix = `${hex8(hash(seed, kind))}${hex8(hash(kind, seed, 7))}`
  return (number) => `${prefix}${hex8(number)}`
}

/** A database-style object id: 24 hexadecimal digits, unique for a seed, a kind and a number. */
export const objectId = (seed: number, kind: string, number: number): string => objectIds(seed, kind)(number)

/** A transaction id: `txn_` and 20 hexadecimal digits, unique for a seed and a number. */
export const transactionId = (seed: number, number: number): string =>
  `txn_${objectId(seed, "transaction", number).slice(4)}`

/** A UUID with the format of version 4. */
export const uuid = (...parts: ReadonlyArray<number | string>): string => {
  const digits = [1, 2, 3, 4].map((at) => hex8(hash(...parts, at))).join("")
  return `${digits.slice(0, 8)}-${digits.slice(8, 12)}-4${digits.slice(13, 16)}-a${digits.slice(17, 20)}-${digits.slice(20)}`
}

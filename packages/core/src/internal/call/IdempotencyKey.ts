import * as Effect from "effect/Effect"
import type { IdempotencyKeySource } from "../../IdempotencyPolicy.ts"

/** Keys that a header can carry and that real services accept. */
const validKey = /^[\x20-\x7e]{1,255}$/

/** What is wrong with a key; `undefined` for a good one. */
export const keyRule = (key: string): string | undefined =>
  validKey.test(key) && key.trim() === key
    ? undefined
    : "must be 1 to 255 printable ASCII characters, without outer spaces"

const hex = (bytes: Uint8Array): string => {
  let text = ""
  for (const byte of bytes) text += byteTexts[byte]
  return text
}

const byteTexts = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, "0"))

// Asking the platform for random bytes costs more than the rest of a key, so it is asked for many at a time.
const pool = new Uint8Array(64 * 16)
let taken = pool.length

const randomBytes = (): Uint8Array => {
  if (taken === pool.length) {
    crypto.getRandomValues(pool)
    taken = 0
  }
  return pool.slice(taken, (taken += 16))
}

/** A UUID of version 7: its first 48 bits are the time, the rest is random from the platform's crypto. */
const uuidV7 = (now: number): string => {
  const bytes = randomBytes()
  const view = new DataView(bytes.buffer)
  view.setUint32(0, Math.floor(now / 0x10000))
  view.setUint16(4, now % 0x10000)
  view.setUint8(6, (view.getUint8(6) & 0x0f) | 0x70)
  view.setUint8(8, (view.getUint8(8) & 0x3f) | 0x80)
  const text = hex(bytes)
  return `${text.slice(0, 8)}-${text.slice(8, 12)}-${text.slice(12, 16)}-${text.slice(16, 20)}-${text.slice(20)}`
}

/** JSON with the keys of every object in one order, so that the order in which a caller wrote them does not matter. */
const canonical = (value: unknown): string => {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "null"
  const entries = Object.entries(value).filter(([, part]) => part !== undefined)
  const parts = entries
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, part]) => `${JSON.stringify(key)}:${canonical(part)}`)
  return `{${parts.join(",")}}`
}

/** What a derived key depends on. */
export interface KeyMaterial {
  readonly method: string
  /** Path and query. */
  readonly path: string
  readonly body: unknown
}

const digest = (text: string): Effect.Effect<string> =>
  // SHA-256 is in every platform's crypto; a platform without it cannot make a key at all.
  Effect.map(
    Effect.promise(() => crypto.subtle.digest("SHA-256", new TextEncoder().encode(text))),
    (bytes) => hex(new Uint8Array(bytes))
  )

/** The key of one call; `undefined` when it carries none. */
export const makeKey = (
  source: IdempotencyKeySource,
  material: KeyMaterial,
  now: number
): Effect.Effect<string | undefined> => {
  switch (source._tag) {
    case "random":
      return Effect.sync(() => uuidV7(now))
    case "fixed":
      return Effect.succeed(source.key)
    case "off":
      return Effect.undefined
    case "derived": {
      const { body, method, path } = material
      return digest(canonical([method, path, body ?? null, source.scope, source.generation]))
    }
  }
}

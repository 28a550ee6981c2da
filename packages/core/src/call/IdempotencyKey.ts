import * as Effect from "effect/Effect"
import type { IdempotencyKeySource } from "../policies/IdempotencyPolicy.ts"
import { defined } from "../errors/Defined.ts"

/** Keys that a header can carry and that real services accept. */
const validKey = /^[\x20-\x7e]{1,255}$/

/** The rule that a key breaks; `undefined` for a valid key. */
export const keyRule = (key: string): string | undefined =>
  validKey.test(key) && key.trim() === key
    ? undefined
    : "must be 1 to 255 printable ASCII characters, without outer spaces"

/** A UUID of version 7: its first 48 bits are the time, the rest is that of a random one of the platform's crypto. */
const uuidV7 = (now: number): string => {
  const time = Math.trunc(now).toString(16).padStart(12, "0")
  return `${time.slice(0, 8)}-${time.slice(8)}-7${crypto.randomUUID().slice(15)}`
}

/** JSON with the keys of every object in one order, so that the order in which a caller wrote them does not matter. */
const canonical = (value: unknown): string => {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "null"
  const parts = Object.entries(defined(value))
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, part]) => `${JSON.stringify(key)}:${canonical(part)}`)
  return `{${parts.join(",")}}`
}

/** Values that a derived key depends on. */
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
    (bytes) => Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, "0")).join("")
  )

/** The key of one call; `undefined` when keys are off. */
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

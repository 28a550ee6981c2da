/**
 * The body of a request as the journal keeps it.
 */
import * as Random from "../state/Random.ts"

/** Stands for a body that the journal does not keep. */
export interface OmittedBody {
  /** `too-large`: longer than 64,000 characters; `evicted`: to make room for newer ones; `rejected`: a response 413. */
  readonly omitted: "too-large" | "evicted" | "rejected"
  readonly bytes: number
  /** Equal for equal bodies. */
  readonly hash: string
}

/** The longest body that is kept, in characters. */
const maxLength = 64_000

/** The characters of all bodies that one journal keeps. */
export const maxTotal = 32_000_000

/** What stands for a body that is not kept. */
export const omit = (body: string, omitted: OmittedBody["omitted"]): OmittedBody => ({
  omitted,
  bytes: new TextEncoder().encode(body).length,
  hash: Random.digest(body)
})

/** A body as it is kept at first. */
export const kept = (body: string): string | OmittedBody => (body.length > maxLength ? omit(body, "too-large") : body)

/** The characters that a kept body takes. */
export const lengthOf = (body: string | OmittedBody): number => (typeof body === "string" ? body.length : 0)

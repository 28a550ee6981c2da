import * as Random from "../random/Random.ts"
import type { WireBody } from "../wire/WireBody.ts"

/** A placeholder for a body that the journal does not keep. */
export interface OmittedBody {
  /** `too-large`: longer than 64,000 characters; `evicted`: to make room for newer ones; `rejected`: a response 413. */
  readonly omitted: "too-large" | "evicted" | "rejected"
  readonly bytes: number
  /** Equal for equal bodies. */
  readonly hash: string
}

/** The longest body that is kept, in characters. */
const maxLength = 64_000

/** The maximum size of all bodies in one journal, in characters. */
export const maxTotal = 16_000_000

/** The size in UTF-8, counted without a copy: each copy is memory outside of the heap until the next full collection. */
const utf8Length = (text: string): number => {
  let bytes = text.length
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at)
    if (unit < 0x80) continue
    // Each half of a surrogate pair counts for two of its four bytes.
    bytes += unit < 0x800 || (unit >= 0xd800 && unit <= 0xdfff) ? 1 : 2
  }
  return bytes
}

export const omit = (body: string, omitted: OmittedBody["omitted"]): OmittedBody => ({
  omitted,
  bytes: utf8Length(body),
  hash: Random.digest(body)
})

/** A placeholder for the body of a response. It has no hash: equal requests get different responses. */
export interface OmittedResponse {
  readonly omitted: "too-large" | "evicted"
  readonly characters: number
}

export const isTooLarge = ({ length }: { readonly length: number }): boolean => length > maxLength

export const keptResponse = (body: WireBody): WireBody | OmittedResponse =>
  isTooLarge(body) ? omitResponse(body, "too-large") : body

export const omitResponse = ({ length }: WireBody, omitted: OmittedResponse["omitted"]): OmittedResponse => ({
  omitted,
  characters: length
})

export const isKept = (body: WireBody | OmittedResponse | undefined): body is WireBody =>
  body !== undefined && "text" in body

/** The size of a body in characters, or 0 if it is not kept. */
export const lengthOf = (body: string | WireBody | OmittedBody | OmittedResponse | undefined): number =>
  body !== undefined && (typeof body === "string" || "text" in body) ? body.length : 0

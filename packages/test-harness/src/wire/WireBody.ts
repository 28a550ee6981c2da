/**
 * The body of a response. A page shares the bodies of its records: each record is encoded once, a server sends its bytes without a
 * copy, and the journal keeps many pages in little memory.
 */

/** The body of a response. */
export interface WireBody {
  /** Characters. */
  readonly length: number
  readonly text: () => string
  /** UTF-8 in pieces; they may be shared, so nothing may change them. */
  readonly pieces: (encode?: Encode) => ReadonlyArray<Uint8Array>
}

/** Encodes a string as UTF-8. */
export type Encode = (text: string) => Uint8Array

const encoder = new TextEncoder()

const encoded: Encode = (text) => encoder.encode(text)

/** A body from a string. */
export const bodyOf = (text: string): WireBody => ({
  length: text.length,
  text: () => text,
  pieces: (encode = encoded) => [encode(text)]
})

/** A body that is part of others, encoded once. */
export const sharedBody = (text: string): WireBody => {
  let pieces: ReadonlyArray<Uint8Array> | undefined
  return {
    ...bodyOf(text),
    pieces: (encode = encoded) => {
      pieces ??= [encode(text)]
      return pieces
    }
  }
}

/** Several bodies after one another. */
export const joinedBody = (parts: ReadonlyArray<WireBody>): WireBody => ({
  length: parts.reduce((length, part) => length + part.length, 0),
  text: () => parts.map((part) => part.text()).join(""),
  pieces: (encode) => parts.flatMap((part) => part.pieces(encode))
})

/** Several byte sequences after one another. */
export const joinedBytes = (pieces: ReadonlyArray<Uint8Array>): Uint8Array<ArrayBuffer> => {
  const whole = new Uint8Array(byteLength(pieces))
  let at = 0
  for (const piece of pieces) {
    whole.set(piece, at)
    at += piece.length
  }
  return whole
}

/** The size of several byte sequences. */
export const byteLength = (pieces: ReadonlyArray<Uint8Array>): number =>
  pieces.reduce((length, piece) => length + piece.length, 0)

/** The bytes of a body; empty without a body. */
export const bytesOf = (body: WireBody | undefined): Uint8Array<ArrayBuffer> => joinedBytes(body?.pieces() ?? [])

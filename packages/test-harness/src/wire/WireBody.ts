/**
 * The body of a response. Pages share the bodies of their records, and equal pages their bytes: each is encoded once, and the
 * journal keeps many pages in little memory.
 */

export interface WireBody {
  /** Characters. */
  readonly length: number
  readonly text: () => string
  /** UTF-8; it may be shared, so nothing may change it. */
  readonly bytes: () => Uint8Array<ArrayBuffer>
}

const encoder = new TextEncoder()

export const bodyOf = (text: string): WireBody => ({
  length: text.length,
  text: () => text,
  bytes: () => encoder.encode(text)
})

const encodedOnce = (body: WireBody): WireBody => {
  let bytes: Uint8Array<ArrayBuffer> | undefined
  return { ...body, bytes: () => (bytes ??= body.bytes()) }
}

/** A body that is part of others, encoded once. */
export const sharedBody = (text: string): WireBody => encodedOnce(bodyOf(text))

/** Several bodies after one another, joined once. */
export const joinedBody = (parts: ReadonlyArray<WireBody>): WireBody =>
  encodedOnce({
    length: parts.reduce((length, part) => length + part.length, 0),
    text: () => parts.map((part) => part.text()).join(""),
    bytes: () => joinedBytes(parts.map((part) => part.bytes()))
  })

/** Several byte sequences after one another. */
export const joinedBytes = (pieces: ReadonlyArray<Uint8Array>): Uint8Array<ArrayBuffer> => {
  const whole = new Uint8Array(pieces.reduce((length, piece) => length + piece.length, 0))
  let at = 0
  for (const piece of pieces) {
    whole.set(piece, at)
    at += piece.length
  }
  return whole
}

/** The bytes of a body; empty without a body. */
export const bytesOf = (body: WireBody | undefined): Uint8Array<ArrayBuffer> => body?.bytes() ?? new Uint8Array()

import { fromInk, type InkFlags, type Key } from "./Key.ts"

/** Parses terminal input, which may arrive in pieces. */
export type KeyReader = (input: string, flags: InkFlags) => void

/** The start of a response of the terminal (OSC, DCS) after an escape, and how such a response continues. */
const beginnings: Readonly<Record<string, RegExp>> = {
  "]": /^\d{1,4};/u,
  P: /^(?:[>!]?\||[01]?[$+]|\d*\{)/u
}

/** How long the rest of a response may take to arrive over a slow line. */
const answerTimeoutMs = 500

const bell = "\u0007"

/**
 * Reads keys and leaves out the terminal's responses to queries of another program: over a slow line the responses
 * for an editor that was just left arrive here, and their letters would be commands. Ink takes them for an escape, a
 * letter and text.
 *
 * `soon` runs when the pieces of this read are all delivered; `now` is in milliseconds.
 */
export const makeKeyReader = (
  deliver: (keys: ReadonlyArray<Key>) => void,
  now: () => number = () => performance.now(),
  soon: (run: () => void) => void = queueMicrotask
): KeyReader => {
  /** An escape and a letter, which is a beginning only when the next piece says so. */
  let held: { readonly letter: string; readonly keys: ReadonlyArray<Key> } | undefined
  let answerUntil = Number.NEGATIVE_INFINITY

  const send = (keys: ReadonlyArray<Key>) => {
    if (keys.length > 0) deliver(keys)
  }
  const release = () => {
    const keys = held?.keys ?? []
    held = undefined
    send(keys)
  }
  /** The rest of the piece after the response; `undefined` while the response continues. */
  const afterAnswer = (input: string, flags: InkFlags): string | undefined => {
    if (flags.meta === true && input === "\\") return ""
    const end = input.indexOf(bell)
    return end === -1 ? undefined : input.slice(end + 1)
  }

  return (input, flags) => {
    if (held !== undefined && beginnings[held.letter]?.test(input) === true) {
      held = undefined
      answerUntil = now() + answerTimeoutMs
    }
    if (now() < answerUntil) {
      const rest = afterAnswer(input, flags)
      if (rest === undefined) return
      answerUntil = Number.NEGATIVE_INFINITY
      return send(fromInk(rest, {}))
    }
    release()
    const keys = fromInk(input, flags)
    if (flags.meta !== true || !(input in beginnings)) return send(keys)
    held = { letter: input, keys }
    soon(release)
  }
}

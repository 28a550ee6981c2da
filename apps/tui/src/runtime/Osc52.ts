/**
 * Copies through the terminal (OSC 52), which works over SSH and without a clipboard program.
 */

import { type Outgoing, outlet } from "@signalbox/operator/outlet/Outlet"

/** The values of a process's environment. */
type Environment = Readonly<Record<string, string | undefined>>

/** The result of preparing a copy. */
export type Copy =
  | {
      readonly _tag: "Made"
      /** Write it to the terminal verbatim, outside a frame. */
      readonly sequence: Outgoing
      /** Size of the text in bytes. */
      readonly bytes: number
    }
  | { readonly _tag: "TooLarge"; readonly message: string; readonly bytes: number }

/** Terminals of the xterm family drop sequences above 100,000 characters: this many bytes make 99,992 of base64. */
export const copyLimit = 74_994

/** GNU screen takes at most 768 bytes of one pass-through. */
const screenChunk = 760

const escape = "\u001b"

const passThrough = (content: string): string => `${escape}P${content}${escape}\\`

const forTmux = (sequence: string): string => passThrough(`tmux;${sequence.replaceAll(escape, escape + escape)}`)

const forScreen = (sequence: string): string => {
  const chunks: Array<string> = []
  for (let at = 0; at < sequence.length; at += screenChunk) {
    chunks.push(passThrough(sequence.slice(at, at + screenChunk)))
  }
  return chunks.join("")
}

/**
 * Builds the sequence that makes the terminal copy a string, wrapped for tmux or GNU screen if the environment names one;
 * or the reason why it cannot be copied. The terminal does not report whether it copied the string.
 *
 * Inside tmux, the sequence is sent both bare and wrapped: tmux handles the first with `set-clipboard on`, and passes the
 * second through with `allow-passthrough on`.
 */
export const osc52 = (text: Outgoing, environment: Environment): Copy => {
  const content = Buffer.from(text, "utf8")
  const bytes = content.length
  if (bytes > copyLimit) {
    return {
      _tag: "TooLarge",
      bytes,
      message: `too large to copy: ${bytes} bytes, and a terminal takes ${copyLimit} at most; save it to a file instead`
    }
  }
  const sequence = `${escape}]52;c;${content.toString("base64")}\u0007`
  const made = (whole: string): Copy => ({ _tag: "Made", bytes, sequence: outlet("own").text(whole) })
  if ((environment["TMUX"] ?? "") !== "") return made(sequence + forTmux(sequence))
  const inScreen = (environment["STY"] ?? "") !== "" || (environment["TERM"] ?? "").startsWith("screen")
  return made(inScreen ? forScreen(sequence) : sequence)
}

/**
 * The token that reproduces one scenario, already shrunk: one word without characters that a shell interprets.
 */

/** The scenario that a token stands for. */
export interface Reproduction {
  /** Name of the scenario's family. */
  readonly family: string
  /** Replay value of the property checker. */
  readonly replay: string
}

/** Writes a token. */
export const writeToken = ({ family, replay }: Reproduction): string =>
  `${family}.${Buffer.from(replay).toString("base64url")}`

/** Reads a token; `undefined` for a string that is not a token. */
export const readToken = (token: string): Reproduction | undefined => {
  const [family = "", encoded = ""] = token.split(".")
  const replay = Buffer.from(encoded, "base64url").toString("utf8")
  try {
    return Array.isArray(JSON.parse(replay)) ? { family, replay } : undefined
  } catch {
    return undefined
  }
}

/**
 * The token that repeats one scenario, made smaller as it was found: one word that every shell leaves alone.
 */

/** What a token stands for. */
export interface Repeat {
  /** Kind of scenario. */
  readonly family: string
  /** Replay of the property checker. */
  readonly replay: string
}

/** Writes a token. */
export const tokenOf = ({ family, replay }: Repeat): string => `${family}.${Buffer.from(replay).toString("base64url")}`

/** Reads a token; `undefined` for text that is none. */
export const repeatOf = (token: string): Repeat | undefined => {
  const [family = "", encoded = ""] = token.split(".")
  const replay = Buffer.from(encoded, "base64url").toString("utf8")
  try {
    return Array.isArray(JSON.parse(replay)) ? { family, replay } : undefined
  } catch {
    return undefined
  }
}

/**
 * The token that repeats one scenario, made smaller as it was found: one word that every shell leaves alone.
 */

/** Writes a replay of the property checker as a token. */
export const tokenOf = (replay: string): string => Buffer.from(replay).toString("base64url")

/** Reads a token; `undefined` for text that is none. */
export const replayOf = (token: string): string | undefined => {
  const replay = Buffer.from(token, "base64url").toString("utf8")
  try {
    return Array.isArray(JSON.parse(replay)) ? replay : undefined
  } catch {
    return undefined
  }
}

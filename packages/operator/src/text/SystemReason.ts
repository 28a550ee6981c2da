/** The message of an error; any other thrown value as text. */
export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

/**
 * Why the operating system refused something, in a few words: `no space left on device (ENOSPC)`. Without the path,
 * which the messages contain already.
 */
export const systemReason = (error: unknown): string => {
  const message = messageOf(error)
  const [, code, meaning] = /^([A-Z][A-Z0-9]+): ([^,]+)/u.exec(message) ?? []
  return meaning === undefined ? message : `${meaning} (${code})`
}

/**
 * Why the operating system refused something, in a few words: `no space left on device (ENOSPC)`. Without the path,
 * which messages name by themselves.
 */
export const systemReason = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error)
  const [, code, meaning] = /^([A-Z][A-Z0-9]+): ([^,]+)/u.exec(error.message) ?? []
  return meaning === undefined ? error.message : `${meaning} (${code})`
}

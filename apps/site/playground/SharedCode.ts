/**
 * The program of the playground in the address of the page, so that a link or a reload has it.
 */

const prefix = "#code="

/** The program in an address; `undefined` where it has none that can be read. */
export const sharedCode = (hash: string): string | undefined => {
  if (!hash.startsWith(prefix)) return undefined
  try {
    const bytes = atob(hash.slice(prefix.length).replaceAll("-", "+").replaceAll("_", "/"))
    return new TextDecoder().decode(Uint8Array.from(bytes, (byte) => byte.codePointAt(0) ?? 0))
  } catch {
    return undefined
  }
}

/** The part of an address that has a program. */
export const hashOf = (code: string): string => {
  const bytes = Array.from(new TextEncoder().encode(code), (byte) => String.fromCodePoint(byte)).join("")
  return prefix + btoa(bytes).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "")
}

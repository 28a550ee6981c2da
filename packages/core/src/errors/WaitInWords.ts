/** How long to wait, as a person reads it: never less than it is. */
export const waitInWords = (milliseconds: number): string => {
  if (milliseconds < 10_000) return `${Math.ceil(milliseconds)} ms`
  return milliseconds < 600_000 ? `${Math.ceil(milliseconds / 1000)} s` : `${Math.ceil(milliseconds / 60_000)} min`
}

/**
 * Points in time as HTTP headers say them.
 */

// A year has four digits there.
const earliest = Date.parse("0000-01-01T00:00:00Z")
const last = Date.parse("9999-12-31T23:59:59Z")

// Writing a date takes as long as finding the operation of a request, and requests of one second share theirs.
let latest = { second: NaN, text: "" }

/** A point in time, given in milliseconds since 1970, as HTTP headers say it, or the nearest that they can say. */
export const httpDate = (millis: number): string => {
  const second = Math.floor(Math.min(Math.max(millis, earliest), last) / 1_000)
  if (second !== latest.second) latest = { second, text: new Date(second * 1_000).toUTCString() }
  return latest.text
}

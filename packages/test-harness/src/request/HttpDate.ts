/**
 * Points in time as HTTP headers say them.
 */

// Writing a date takes as long as finding the operation of a request, and requests of one second share theirs.
let latest = { second: NaN, text: "" }

/** A point in time, given in milliseconds since 1970, as HTTP headers say it. */
export const httpDate = (millis: number): string => {
  const second = Math.floor(millis / 1_000)
  if (second !== latest.second) latest = { second, text: new Date(millis).toUTCString() }
  return latest.text
}

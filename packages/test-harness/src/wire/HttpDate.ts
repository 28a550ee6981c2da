// Years have four digits in HTTP dates.
const earliest = Date.parse("0000-01-01T00:00:00Z")
const last = Date.parse("9999-12-31T23:59:59Z")

// Cached, because formatting a date takes as long as routing a request, and requests in the same second share it.
let latest = { second: NaN, text: "" }

/** A time, in milliseconds since 1970, in the format of HTTP headers; the nearest valid date if it is out of range. */
export const httpDate = (millis: number): string => {
  const second = Math.floor(Math.min(Math.max(millis, earliest), last) / 1_000)
  if (second !== latest.second) latest = { second, text: new Date(second * 1_000).toUTCString() }
  return latest.text
}

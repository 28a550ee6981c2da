// Writing a time reads no clock, and `DateTime` would cost every program that lists events 1 KB for this one line.
// @effect-diagnostics globalDate:off

// No text can say a later or an earlier time.
const range = 8.64e15

/** Writes a time as ISO 8601, in UTC; `undefined` for what is no time. */
export const isoOf = (milliseconds: number): string | undefined =>
  Math.abs(milliseconds) <= range ? new Date(milliseconds).toISOString() : undefined

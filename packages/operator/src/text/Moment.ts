/**
 * Lengths of time and ages in words.
 */
/** A length of time in its two largest units: `450 ms`, `12.5 s`, `10m 0s`, `3h 5m`, `2d 4h`. */
export const duration = (milliseconds: number): string => {
  if (Number.isNaN(milliseconds)) return "?"
  if (milliseconds < 1000) return `${Math.max(0, Math.round(milliseconds))} ms`
  // Tenths that would round up to 60.0 belong to the minutes.
  if (milliseconds < 59_950) return `${(milliseconds / 1000).toFixed(1)} s`
  const seconds = Math.round(milliseconds / 1000)
  if (seconds < 3600) return `${Math.floor(seconds / 60)}m ${seconds % 60}s`
  const minutes = Math.floor(seconds / 60)
  return minutes < 1440
    ? `${Math.floor(minutes / 60)}h ${minutes % 60}m`
    : `${Math.floor(minutes / 1440)}d ${Math.floor((minutes % 1440) / 60)}h`
}

/** How long ago in whole minutes, hours or days, six cells at most: `<1 min`, `21 min`, `2 h`, `3 d`. */
export const shortAge = (at: number, now: number): string => {
  const seconds = Math.floor((now - at) / 1000)
  if (Number.isNaN(seconds)) return ""
  if (seconds < 60) return "<1 min"
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min`
  return seconds < 172_800 ? `${Math.floor(seconds / 3600)} h` : `${Math.floor(seconds / 86_400)} d`
}

/** How long ago in one unit, or how long until then: `just now`, `40 s ago`, `21 min ago`, `in 2 h`. */
export const age = (at: number, now: number): string => {
  if (Number.isNaN(at)) return "at no known time"
  const seconds = Math.floor(Math.abs(now - at) / 1000)
  if (seconds < 2) return "just now"
  const length =
    seconds < 60
      ? `${seconds} s`
      : seconds < 3600
        ? `${Math.floor(seconds / 60)} min`
        : seconds < 86_400
          ? `${Math.floor(seconds / 3600)} h`
          : `${Math.floor(seconds / 86_400)} d`
  return at > now ? `in ${length}` : `${length} ago`
}

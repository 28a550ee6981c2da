/**
 * Points in time as a filter says them: how long ago (`24h`), or a date with or without a time of day, in UTC.
 */

const units: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 }

const agoPattern = /^(?<amount>\d{1,9})(?<unit>[smhdw])$/u

const datePattern =
  /^(?<date>\d{4}-\d\d-\d\d)(?:[T ](?<time>\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?)(?<zone>Z|[+-]\d\d:?\d\d)?)?$/iu

/** The allowed forms of a point in time, for messages. */
export const timeForms = "30m, 24h, 7d, 2026-11-20 or 2026-11-20T12:30Z"

/** Months, for which minutes would be a surprise. */
const isMonths = (value: string): boolean => /^\d+M$/u.test(value)

const ago = (value: string): number | undefined => {
  const found = agoPattern.exec(value)?.groups
  const unit = units[found?.["unit"] ?? ""]
  return found === undefined || unit === undefined ? undefined : Number(found["amount"]) * unit
}

/** The value in the form that is printed and compared; `undefined` when it is no point in time. */
export const canonicalTime = (value: string): string | undefined => {
  if (isMonths(value)) return undefined
  const milliseconds = ago(value.toLowerCase())
  if (milliseconds !== undefined) {
    // A length that leaves the range of dates would be no point in time.
    return milliseconds > 100 * 365 * 86_400_000 ? undefined : value.toLowerCase().replace(/^0+(?=\d)/u, "")
  }
  const found = datePattern.exec(value)?.groups
  if (found === undefined) return undefined
  const zone = (found["zone"] ?? "Z").toUpperCase()
  const at = Date.parse(`${found["date"]}T${found["time"] ?? "00:00"}${zone}`)
  if (Number.isNaN(at)) return undefined
  const iso = new Date(at).toISOString()
  // A day that its month does not have is read as one of the next month.
  if (zone === "Z" && !iso.startsWith(found["date"] ?? "")) return undefined
  return iso.replace(/(?:T00:00)?:00\.000Z$|\.000Z$/u, (rest) => (rest.startsWith("T") ? "" : "Z"))
}

/** A canonical value as a time in milliseconds since 1970. */
export const timeAt = (canonical: string, now: number): number => {
  const milliseconds = ago(canonical)
  return milliseconds === undefined ? Date.parse(canonical) : now - milliseconds
}

/** Whether two canonical values can be ordered without knowing the time of day, and which is earlier then. */
export const isEarlier = (a: string, b: string): boolean | undefined => {
  const [agoA, agoB] = [ago(a), ago(b)]
  if ((agoA === undefined) !== (agoB === undefined)) return undefined
  return agoA === undefined || agoB === undefined ? Date.parse(a) < Date.parse(b) : agoA > agoB
}

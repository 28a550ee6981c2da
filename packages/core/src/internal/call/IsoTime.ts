const digits = (value: number, length = 2): string => String(value).padStart(length, "0")

/**
 * Writes a time as ISO 8601, in UTC. `DateTime` would cost every program that lists events 1 KB for this one line.
 *
 * Years begin in March here, so that the day that comes and goes is the last one of a year.
 */
export const isoOf = (milliseconds: number): string => {
  const time = ((milliseconds % 86_400_000) + 86_400_000) % 86_400_000
  const day = (milliseconds - time) / 86_400_000 + 719_468
  const era = Math.floor(day / 146_097)
  const dayOfEra = day - era * 146_097
  const yearOfEra = Math.floor(
    (dayOfEra - Math.floor(dayOfEra / 1460) + Math.floor(dayOfEra / 36_524) - Math.floor(dayOfEra / 146_096)) / 365
  )
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100))
  const march = Math.floor((5 * dayOfYear + 2) / 153)
  const month = march < 10 ? march + 3 : march - 9
  const year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
  const date = `${digits(year, 4)}-${digits(month)}-${digits(dayOfYear - Math.floor((153 * march + 2) / 5) + 1)}`
  const hours = digits(Math.floor(time / 3_600_000))
  const minutes = digits(Math.floor(time / 60_000) % 60)
  const seconds = digits(Math.floor(time / 1000) % 60)
  return `${date}T${hours}:${minutes}:${seconds}.${digits(time % 1000, 3)}Z`
}

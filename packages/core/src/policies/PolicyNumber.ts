import * as Duration from "effect/Duration"
import * as Option from "effect/Option"

// An invalid number is a programming error, not a failed call: throw.
const required = (value: number, isAllowed: boolean, place: string, rule: string): number => {
  if (isAllowed) return value
  throw new RangeError(`${place} must be ${rule}`)
}

const millisecondsOf = (input: Duration.Input): number =>
  // `Duration` reads `NaN` as zero.
  typeof input === "number"
    ? input
    : Option.match(Duration.fromInput(input), { onNone: () => Number.NaN, onSome: Duration.toMillis })

/** A number of times. */
export const count = (place: string, value: number, least = 0): number =>
  required(value, Number.isInteger(value) && value >= least, place, `a whole number of at least ${least}`)

/** A number of tokens. */
export const amount = (place: string, value: number): number =>
  required(value, value >= 0, place, "a number of at least 0")

/** A time to wait, in milliseconds. */
export const wait = (place: string, input: Duration.Input): number => {
  const milliseconds = millisecondsOf(input)
  return required(milliseconds, milliseconds >= 0, place, "a duration of at least 0")
}

/** A time that something may take, in milliseconds. */
export const limit = (place: string, input: Duration.Input): number => {
  const milliseconds = millisecondsOf(input)
  return required(milliseconds, milliseconds > 0, place, "a duration of more than 0")
}

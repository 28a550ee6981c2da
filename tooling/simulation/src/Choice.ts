/**
 * Small generators that scenarios are made of.
 */
import * as Arbitrary from "effect/Arbitrary"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"

/** A whole number of a range, ends included; it shrinks to the smallest. */
export const between = (minimum: number, maximum: number): Arbitrary.Arbitrary<number> =>
  Arbitrary.schema(Schema.Int.check(Schema.isBetween({ minimum, maximum })))

/** One of several values; it shrinks to the first. A value that is named more than once comes more often. */
export const oneOf = <const Value>(values: ReadonlyArray<Value>): Arbitrary.Arbitrary<Value> =>
  Arbitrary.filterMap(between(0, values.length - 1), (index) =>
    index < values.length
      ? // The index is within the list: it was checked just now.
        Result.succeed(values[index] as Value)
      : Result.fail("no such value")
  )

/** A whole number of a range, or nothing in so many of ten cases; it shrinks to nothing. */
export const betweenOrNothing = (
  nothing: number,
  minimum: number,
  maximum: number
): Arbitrary.Arbitrary<number | undefined> =>
  Arbitrary.map(Arbitrary.all([between(0, 9), between(minimum, maximum)]), ([chance, value]) =>
    chance < nothing ? undefined : value
  )

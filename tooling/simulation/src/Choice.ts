/**
 * Small generators for scenarios.
 */
import * as Arbitrary from "effect/Arbitrary"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"

/** A whole number from a range, bounds included; shrinks to the minimum. */
export const between = (minimum: number, maximum: number): Arbitrary.Arbitrary<number> =>
  Arbitrary.schema(Schema.Int.check(Schema.isBetween({ minimum, maximum })))

/** One of several values; shrinks to the first. List a value twice to draw it more often. */
export const oneOf = <const Value>(values: ReadonlyArray<Value>): Arbitrary.Arbitrary<Value> =>
  Arbitrary.filterMap(between(0, values.length - 1), (index) =>
    index < values.length
      ? // The line above checks the index.
        Result.succeed(values[index] as Value)
      : Result.fail("index out of range")
  )

/** A whole number from a range, or `undefined` in `absent` of ten cases; shrinks to `undefined`. */
export const betweenOrAbsent = (
  absent: number,
  minimum: number,
  maximum: number
): Arbitrary.Arbitrary<number | undefined> =>
  Arbitrary.map(Arbitrary.all([between(0, 9), between(minimum, maximum)]), ([chance, value]) =>
    chance < absent ? undefined : value
  )

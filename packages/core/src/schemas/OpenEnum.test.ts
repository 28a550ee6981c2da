import { assert, describe, expectTypeOf, it } from "@effect/vitest"
import * as Schema from "effect/Schema"
import type { Open } from "../contract/KnownValues.ts"
import { openEnum } from "./OpenEnum.ts"

const Level = openEnum(["high", "low"])
const Place = openEnum([1, 2, "last"])

describe("openEnum", () => {
  it("accepts values that are newer than the known ones", () => {
    const is = Schema.is(Level)
    assert.deepStrictEqual(
      ["high", "urgent", ""].map((value) => is(value)),
      [true, true, true]
    )
    assert.deepStrictEqual(
      [1, null, undefined, {}, ["high"]].map((value) => is(value)),
      [false, false, false, false, false]
    )
  })

  it("accepts newer numbers where some known values are numbers", () => {
    const is = Schema.is(Place)
    assert.deepStrictEqual(
      [1, 9, "last", "first"].map((value) => is(value)),
      [true, true, true, true]
    )
    assert.deepStrictEqual(
      [Number.NaN, null, true].map((value) => is(value)),
      [false, false, false]
    )
  })

  it("keeps the known values for autocomplete", () => {
    expectTypeOf<typeof Level.Type>().toEqualTypeOf<"high" | "low" | (string & {})>()
    expectTypeOf<typeof Place.Type>().toEqualTypeOf<1 | 2 | "last" | (string & {}) | (number & {})>()
    expectTypeOf<Open<readonly ["a"]>>().toEqualTypeOf<"a" | (string & {})>()
  })
})

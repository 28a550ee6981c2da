import type { MaxRate } from "@signalbox/bulk"
import * as Effect from "effect/Effect"
import { InvalidValue } from "effect/cli/CliError"
import * as Flag from "effect/cli/Flag"
import type * as Option from "effect/Option"

const expected = "requests a second such as 20 or 0.5, or a share of the service's limit such as 50%"

/** The highest rate of a run on one machine. */
export const maxRateFlag = {
  maxRate: Flag.String("max-rate").pipe(
    Flag.withMetavar("N|N%"),
    Flag.mapEffect((text): Effect.Effect<MaxRate, InvalidValue> => {
      const { number = "", unit } = /^(?<number>\d{1,9}(?:\.\d{1,9})?)(?<unit>%)?$/u.exec(text)?.groups ?? {}
      const value = Number(number)
      const isValid = value > 0 && (unit === undefined || value <= 100)
      if (!isValid) return Effect.fail(new InvalidValue({ option: "max-rate", value: text, expected, kind: "flag" }))
      return Effect.succeed(unit === undefined ? value : { share: value / 100 })
    }),
    Flag.optional,
    Flag.withDescription(
      "Requests a second at most, or a share of the limit that the service states (50%), so that others can use the rest."
    )
  )
}

/** The value of {@link maxRateFlag}. */
export interface MaxRateOptions {
  readonly maxRate: Option.Option<MaxRate>
}

/**
 * Flags whose values are checked while the command line is parsed: a wrong one is a usage error that names what is
 * allowed, and nothing is sent.
 */
import { canonicalTime, timeForms } from "@signalbox/operator/filter/FilterTime"
import { expectedOneOf } from "@signalbox/core/Nearest"
import * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import * as Argument from "effect/cli/Argument"
import { InvalidValue } from "effect/cli/CliError"
import * as Flag from "effect/cli/Flag"

/** The range of a whole number. */
export interface Range {
  readonly minimum: number
  readonly maximum: number
}

const invalid = (option: string, value: string, expected: string) =>
  Effect.fail(new InvalidValue({ option, value, expected, kind: "flag" }))

/** A flag without a value, which is off unless it is given. */
export const switchFlag = (name: string, description: string): Flag.Flag<boolean> =>
  Flag.Boolean(name).pipe(Flag.withDefault(false), Flag.withDescription(description))

/** A flag that takes a string and may be absent. */
export const textFlag = (name: string, metavar: string, description: string): Flag.Flag<Option.Option<string>> =>
  Flag.String(name).pipe(Flag.withMetavar(metavar), Flag.optional, Flag.withDescription(description))

/** A flag that takes a point in time in the forms of filters, such as `24h`. */
export const sinceFlag = (description: string): Flag.Flag<Option.Option<string>> =>
  Flag.String("since").pipe(
    Flag.withMetavar("TIME"),
    Flag.mapEffect((text) => {
      const time = canonicalTime(text)
      return time === undefined ? invalid("since", text, timeForms) : Effect.succeed(time)
    }),
    Flag.optional,
    Flag.withDescription(description)
  )

/** A flag that takes a whole number. */
export const wholeNumber = (name: string, { maximum, minimum }: Range): Flag.Flag<number> =>
  Flag.String(name).pipe(
    Flag.withMetavar("N"),
    Flag.mapEffect((text) => {
      const number = /^\d{1,15}$/u.test(text) ? Number(text) : Number.NaN
      return number >= minimum && number <= maximum
        ? Effect.succeed(number)
        : invalid(name, text, `a whole number from ${minimum} to ${maximum}`)
    })
  )

/** A flag that takes one of a few words. */
export const oneOf = <const Values extends ReadonlyArray<string>>(
  name: string,
  values: Values
): Flag.Flag<Values[number]> =>
  Flag.String(name).pipe(
    Flag.withMetavar(values.join("|")),
    Flag.mapEffect((text) => {
      const known = values.find((value) => value === text)
      return known === undefined ? invalid(name, text, expectedOneOf(text, values)) : Effect.succeed(known)
    })
  )

/** An argument that is one of a few words. */
export const oneOfArgument = <const Values extends ReadonlyArray<string>>(
  name: string,
  values: Values
): Argument.Argument<Values[number]> =>
  Argument.String(name).pipe(
    Argument.mapEffect((text) => {
      const known = values.find((value) => value === text)
      return known === undefined
        ? Effect.fail(
            new InvalidValue({ option: name, value: text, expected: expectedOneOf(text, values), kind: "argument" })
          )
        : Effect.succeed(known)
    })
  )

/** An argument that is the id of a record. */
export const idArgument = (description: string): Argument.Argument<string> =>
  Argument.String("id").pipe(
    Argument.mapEffect((text) =>
      text === ""
        ? Effect.fail(new InvalidValue({ option: "id", value: text, expected: "an id", kind: "argument" }))
        : Effect.succeed(text)
    ),
    Argument.withDescription(description)
  )

/** The FILTER words of a command. */
export const filterArgument = (description: string): Argument.Argument<ReadonlyArray<string>> =>
  Argument.String("filter").pipe(Argument.variadic(), Argument.withDescription(description))

/** A key and its value. */
export type KeyValue = readonly [key: string, value: string]

/** A flag that takes a key and a value; the value may be a secret. */
export const keyValue = (name: string): Flag.Flag<KeyValue> =>
  Flag.String(name).pipe(
    Flag.withMetavar("NAME=VALUE"),
    Flag.mapEffect((text) => {
      const { key, value = "" } = /^(?<key>[^=.]+(?:\.[^=.]+)*)=(?<value>.*)$/su.exec(text)?.groups ?? {}
      return key === undefined
        ? invalid(name, text.replace(/=.*$/su, "=…"), "a name and a value, such as name=welcome or to.id=u_1")
        : Effect.succeed([key, value] as const)
    })
  )

/** A flag that takes the id of a subscriber, which is a segment of a path. */
export const subscriberId = (description: string): Flag.Flag<string> =>
  Flag.String("subscriber").pipe(
    Flag.withAlias("s"),
    Flag.withMetavar("ID"),
    Flag.withDescription(description),
    Flag.mapEffect((text) =>
      ["", ".", ".."].includes(text) ? invalid("subscriber", text, "a subscriber id") : Effect.succeed(text)
    )
  )

const units = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 } as const

const isUnit = (text: string): text is keyof typeof units => Object.hasOwn(units, text)

/** A flag that takes a duration such as `500ms`, `30s` or `5m`; its value is in milliseconds. */
export const durationMs = (name: string): Flag.Flag<number> =>
  Flag.String(name).pipe(
    Flag.withMetavar("DURATION"),
    Flag.mapEffect((text) => {
      const { amount = "", unit = "" } = /^(?<amount>[1-9]\d{0,8})(?<unit>ms|s|m|h)$/u.exec(text)?.groups ?? {}
      return isUnit(unit)
        ? Effect.succeed(Number(amount) * units[unit])
        : invalid(name, text, "a duration such as 500ms, 30s or 5m")
    })
  )

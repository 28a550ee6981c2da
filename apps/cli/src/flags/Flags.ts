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

type Kind = InvalidValue["kind"]

/** Reads a string; where it is `undefined`, the error names what was expected. */
const reading =
  <A>(option: string, read: (text: string) => A | undefined, expected: (text: string) => string, kind: Kind = "flag") =>
  (text: string) => {
    const value = read(text)
    return value === undefined
      ? Effect.fail(new InvalidValue({ option, value: text, expected: expected(text), kind }))
      : Effect.succeed(value)
  }

/** A flag whose value is read from a string. */
export const readFlag = <A>(
  name: string,
  metavar: string,
  read: (text: string) => A | undefined,
  expected: (text: string) => string
): Flag.Flag<A> => Flag.String(name).pipe(Flag.withMetavar(metavar), Flag.mapEffect(reading(name, read, expected)))

/** A flag without a value, which is off unless it is given. */
export const switchFlag = (name: string, description: string): Flag.Flag<boolean> =>
  Flag.Boolean(name).pipe(Flag.withDefault(false), Flag.withDescription(description))

/** A flag that takes a string and may be absent. */
export const textFlag = (name: string, metavar: string, description: string): Flag.Flag<Option.Option<string>> =>
  Flag.String(name).pipe(Flag.withMetavar(metavar), Flag.optional, Flag.withDescription(description))

/** A flag that takes a point in time in the forms of filters, such as `24h`. */
export const sinceFlag = (description: string): Flag.Flag<Option.Option<string>> =>
  readFlag("since", "TIME", canonicalTime, () => timeForms).pipe(Flag.optional, Flag.withDescription(description))

/** A flag that takes a whole number. */
export const wholeNumber = (name: string, { maximum, minimum }: Range): Flag.Flag<number> =>
  readFlag(
    name,
    "N",
    (text) => {
      const number = /^\d+$/u.test(text) ? Number(text) : Number.NaN
      return number >= minimum && number <= maximum ? number : undefined
    },
    () => `a whole number from ${minimum} to ${maximum}`
  )

const among =
  <Value extends string>(values: ReadonlyArray<Value>) =>
  (text: string): Value | undefined =>
    values.find((value) => value === text)

/** A flag that takes one of a few words. */
export const oneOf = <const Value extends string>(name: string, values: ReadonlyArray<Value>): Flag.Flag<Value> =>
  readFlag(name, values.join("|"), among(values), (text) => expectedOneOf(text, values))

/** An argument that is one of a few words. */
export const oneOfArgument = <const Value extends string>(
  name: string,
  values: ReadonlyArray<Value>
): Argument.Argument<Value> =>
  Argument.String(name).pipe(
    Argument.mapEffect(reading(name, among(values), (text) => expectedOneOf(text, values), "argument"))
  )

/** An argument that is the id of a record. */
export const idArgument = (description: string): Argument.Argument<string> =>
  Argument.String("id").pipe(
    Argument.mapEffect(
      reading(
        "id",
        (text) => text || undefined,
        () => "an id",
        "argument"
      )
    ),
    Argument.withDescription(description)
  )

/** The FILTER words of a command. */
export const filterArgument = (description: string): Argument.Argument<ReadonlyArray<string>> =>
  Argument.String("filter").pipe(Argument.variadic(), Argument.withDescription(description))

/** A key and its value. */
export type KeyValue = readonly [key: string, value: string]

/** A flag that takes a key and a value; the value may be a secret, which the error does not quote. */
export const keyValue = (name: string): Flag.Flag<KeyValue> =>
  Flag.String(name).pipe(
    Flag.withMetavar("NAME=VALUE"),
    Flag.mapEffect((text) => {
      const { key, value = "" } = /^(?<key>[^=.]+(?:\.[^=.]+)*)=(?<value>.*)$/su.exec(text)?.groups ?? {}
      const pair: KeyValue | undefined = key === undefined ? undefined : [key, value]
      const expected = () => "a name and a value, such as name=welcome or to.id=u_1"
      return reading(name, () => pair, expected)(text.replace(/=.*$/su, "=…"))
    })
  )

/** A flag that takes the id of a subscriber, which is a segment of a path. */
export const subscriberId = (description: string): Flag.Flag<string> =>
  readFlag(
    "subscriber",
    "ID",
    (text) => (["", ".", ".."].includes(text) ? undefined : text),
    () => "a subscriber id"
  ).pipe(Flag.withAlias("s"), Flag.withDescription(description))

const units: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 }

/** A flag that takes a duration such as `500ms`, `30s` or `5m`; its value is in milliseconds. */
export const durationMs = (name: string): Flag.Flag<number> =>
  readFlag(
    name,
    "DURATION",
    (text) => {
      const { amount, unit = "" } = /^(?<amount>[1-9]\d{0,8})(?<unit>ms|s|m|h)$/u.exec(text)?.groups ?? {}
      return amount === undefined ? undefined : Number(amount) * (units[unit] ?? 1)
    },
    () => "a duration such as 500ms, 30s or 5m"
  )

/**
 * Rules for values that callers without types, or with those of another version, can get wrong.
 */
import * as Duration from "effect/Duration"
import * as Option from "effect/Option"
import { expectedOneOf } from "../errors/Nearest.ts"
import type { FieldIssue } from "../errors/Reason.ts"

/** The issue of a value at a path; `undefined` for a valid value. */
export type Rule = (value: unknown, path: string) => FieldIssue | undefined

/** The rules of the fields of an object. */
export type Parts<Name extends string = string> = Readonly<Record<Name, Rule>>

// Objects of the platform, such as an `AbortSignal`, `Headers` or an array, have no options as properties.
export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  Object.prototype.toString.call(value) === "[object Object]"

/** A required value. */
export const required =
  (isRight: (value: unknown) => boolean, rule: string): Rule =>
  (value, path) =>
    isRight(value)
      ? undefined
      : // The usual cause is an environment variable that is not set.
        { path, rule: value === undefined ? `${rule}, not undefined` : rule }

/** An optional value. */
export const rule = (isRight: (value: unknown) => boolean, text: string): Rule =>
  required((value) => value === undefined || isRight(value), text)

export const text = /* @__PURE__ */ rule((value) => typeof value === "string", "must be a string")

export const truth = /* @__PURE__ */ rule((value) => typeof value === "boolean", "must be true or false")

export const callback = /* @__PURE__ */ rule((value) => typeof value === "function", "must be a function")

export const number = (isRight: (value: number) => boolean, text: string): Rule =>
  rule((value) => typeof value === "number" && isRight(value), text)

/** A number of times. */
export const count = (least = 0): Rule =>
  number((value) => Number.isInteger(value) && value >= least, `must be a whole number of at least ${least}`)

/** A time to wait. */
export const wait = /* @__PURE__ */ number((value) => value >= 0, "must be milliseconds, at least 0")

/** A time that something may take. */
export const limit = /* @__PURE__ */ number((value) => value > 0, "must be milliseconds, more than 0")

/** The milliseconds of a duration; `NaN` for an invalid one, which `Duration` reads as zero. */
export const millisecondsOf = (input: Duration.Input): number =>
  typeof input === "number"
    ? input
    : Option.match(Duration.fromInput(input), { onNone: () => Number.NaN, onSome: Duration.toMillis })

/** The same for a value in one of the forms of `Duration`. */
export const duration = (isRight: (milliseconds: number) => boolean, text: string): Rule =>
  // `fromInput` also rejects what is in none of them.
  rule((value) => isRight(millisecondsOf(value as Duration.Input)), text)

/** One of these values, or a value that another rule allows. */
export const oneOf =
  (values: ReadonlyArray<unknown>, otherwise: Rule): Rule =>
  (value, path) =>
    values.includes(value) ? undefined : otherwise(value, path)

const firstIssue = (names: Iterable<string>, issueOf: (name: string) => FieldIssue | undefined) => {
  for (const name of names) {
    const issue = issueOf(name)
    if (issue !== undefined) return issue
  }
  return undefined
}

const below = (path: string, name: string) => (path === "" ? name : `${path}.${name}`)

/** An object with all of these fields, and possibly others. */
export const whole =
  (parts: Parts): Rule =>
  (value, path) =>
    isObject(value)
      ? firstIssue(Object.keys(parts), (name) => parts[name]?.(value[name] ?? null, below(path, name)))
      : { path, rule: `must be an object with ${Object.keys(parts).join(", ")}` }

/** An object with some of these options, and no others. */
export const only =
  (parts: Parts, text = "must be an object"): Rule =>
  (value, path) => {
    if (value === undefined) return undefined
    if (!isObject(value)) return { path: path || "options", rule: text }
    const unknown = Object.keys(value).find((name) => !Object.hasOwn(parts, name))
    return unknown === undefined
      ? firstIssue(Object.keys(parts), (name) => parts[name]?.(value[name], below(path, name)))
      : { path: below(path, unknown), rule: `unknown option; ${expectedOneOf(unknown, Object.keys(parts))}` }
  }

/** Returns a valid value. An invalid one is a programming error, not a failed call: throws. */
export const checked = <A>(value: A, own: Rule, path: string): A => {
  const issue = own(value ?? null, path)
  if (issue === undefined) return value
  throw new RangeError(`${issue.path}: ${issue.rule}`)
}

import * as Duration from "effect/Duration"
import * as Option from "effect/Option"
import { expectedOneOf } from "../errors/Nearest.ts"
import type { FieldIssue } from "../errors/Reason.ts"

/** The issue of a value at a path; `undefined` for a valid value. Callers without types can pass anything. */
export type PolicyRule = (value: unknown, path: string) => FieldIssue | undefined

export const rule =
  (isRight: (value: unknown) => boolean, allowed: string): PolicyRule =>
  (value, path) =>
    isRight(value) ? undefined : { path, rule: `must be ${allowed}` }

export const number = (isRight: (value: number) => boolean, allowed: string): PolicyRule =>
  rule((value) => typeof value === "number" && isRight(value), allowed)

export const truth = /* @__PURE__ */ rule((value) => typeof value === "boolean", "true or false")

/** A number of times. */
export const count = (least = 0): PolicyRule =>
  number((value) => Number.isInteger(value) && value >= least, `a whole number of at least ${least}`)

/** A number of tokens. */
export const amount = /* @__PURE__ */ number((value) => value >= 0, "a number of at least 0")

/** A time to wait. */
export const wait = /* @__PURE__ */ number((value) => value >= 0, "a duration of at least 0")

/** A time that something may take. */
export const limit = /* @__PURE__ */ number((value) => value > 0, "a duration of more than 0")

/** An object whose fields follow these rules. */
export const fields =
  <Policy>(rules: { readonly [Name in keyof Policy]: PolicyRule }): PolicyRule =>
  (value, path) => {
    if (typeof value !== "object" || value === null) {
      return { path, rule: `must be an object with ${Object.keys(rules).join(", ")}` }
    }
    for (const [name, own] of Object.entries<PolicyRule>(rules)) {
      const issue = own(Reflect.get(value, name), `${path}.${name}`)
      if (issue !== undefined) return issue
    }
    return undefined
  }

/** Returns a valid value. An invalid one is a programming error, not a failed call: throws. */
export const checked = <A>(own: PolicyRule, path: string, value: A): A => {
  const issue = own(value, path)
  if (issue === undefined) return value
  throw new RangeError(`${issue.path} ${issue.rule}`)
}

/** Throws for options with other names, which would be ignored. */
export const known = (path: string, options: object, names: ReadonlyArray<string>): void => {
  checked(fields(Object.fromEntries(names.map((name) => [name, () => undefined]))), path, options)
  const unknown = Object.keys(options).find((name) => !names.includes(name))
  if (unknown !== undefined)
    throw new RangeError(`${path}.${unknown}: unknown option; ${expectedOneOf(unknown, names)}`)
}

/** The milliseconds of a duration. */
export const milliseconds = (own: PolicyRule, path: string, input: Duration.Input): number =>
  checked(
    own,
    path,
    // `Duration` reads `NaN` as zero.
    typeof input === "number"
      ? input
      : Option.match(Duration.fromInput(input), { onNone: () => Number.NaN, onSome: Duration.toMillis })
  )

import { expectedOneOf } from "@signalbox/core/Nearest"
import { ClientOptionError } from "../ClientOptionError.ts"

/** Throws an error that names the option when its value is invalid. */
export type Rule = (value: unknown, option: string) => void

// Objects of the platform, such as an `AbortSignal`, `Headers` or an array, have no options as properties.
export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  Object.prototype.toString.call(value) === "[object Object]"

/** A required value. */
export const required =
  (isRight: (value: unknown) => boolean, rule: string): Rule =>
  (value, option) => {
    if (isRight(value)) return
    // The usual cause is an environment variable that is not set.
    throw new ClientOptionError(option, value === undefined ? `${rule}, not undefined` : rule)
  }

/** An optional value. */
export const rule = (isRight: (value: unknown) => boolean, text: string): Rule =>
  required((value) => value === undefined || isRight(value), text)

export const text = rule((value) => typeof value === "string", "must be a string")

export const truth = rule((value) => typeof value === "boolean", "must be true or false")

export const callback = rule((value) => typeof value === "function", "must be a function")

export const number = (isRight: (value: number) => boolean, text: string): Rule =>
  rule((value) => typeof value === "number" && isRight(value), text)

export const count = number((value) => Number.isInteger(value) && value >= 0, "must be a whole number of at least 0")

/** One of these values, or a value that another rule allows. */
export const oneOf =
  (values: ReadonlyArray<unknown>, otherwise: Rule): Rule =>
  (value, option) => {
    if (!values.includes(value)) otherwise(value, option)
  }

/** An object whose values all follow one rule. */
export const every =
  (part: Rule, text: string): Rule =>
  (value, option) => {
    if (value === undefined) return
    if (!isObject(value)) throw new ClientOptionError(option, text)
    for (const [name, own] of Object.entries(value)) part(own, `${option}.${name}`)
  }

/** An object with these options and no others. */
export const only =
  (parts: Readonly<Record<string, Rule>>, text = "must be an object"): Rule =>
  (value, option) => {
    if (value === undefined) return
    if (!isObject(value)) throw new ClientOptionError(option || "options", text)
    const nameOf = (name: string) => (option === "" ? name : `${option}.${name}`)
    for (const name of Object.keys(value)) {
      if (!Object.hasOwn(parts, name)) {
        throw new ClientOptionError(nameOf(name), `unknown option; ${expectedOneOf(name, Object.keys(parts))}`)
      }
    }
    for (const [name, part] of Object.entries(parts)) part(value[name], nameOf(name))
  }

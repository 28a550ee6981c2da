import { expectedOneOf } from "@signalbox/core/Nearest"
import { type PolicyRule as Rule, rule } from "@signalbox/core/internal/policies/PolicyRules"
import { ClientOptionError } from "../ClientOptionError.ts"

// Objects of the platform, such as an `AbortSignal`, `Headers` or an array, have no options as properties.
export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  Object.prototype.toString.call(value) === "[object Object]"

export const text = rule((value) => typeof value === "string", "a string")

export const callback = rule((value) => typeof value === "function", "a function")

/** One of these values, or a value that another rule allows. */
export const oneOf =
  (values: ReadonlyArray<unknown>, otherwise: Rule): Rule =>
  (value, path) =>
    values.includes(value) ? undefined : otherwise(value, path)

/** An object with these options and no others, of which only the needed ones must have a value. */
export const only =
  (parts: Readonly<Record<string, Rule>>, allowed = "an object", needed: ReadonlyArray<string> = []): Rule =>
  (value, path) => {
    if (!isObject(value)) return { path: path || "options", rule: `must be ${allowed}` }
    const pathOf = (name: string) => (path === "" ? name : `${path}.${name}`)
    for (const name of Object.keys(value)) {
      if (!Object.hasOwn(parts, name)) {
        return { path: pathOf(name), rule: `unknown option; ${expectedOneOf(name, Object.keys(parts))}` }
      }
    }
    for (const [name, part] of Object.entries(parts)) {
      const own = value[name]
      const issue = own === undefined && !needed.includes(name) ? undefined : part(own, pathOf(name))
      // The usual cause is an environment variable that is not set.
      if (issue !== undefined) return own === undefined ? { ...issue, rule: `${issue.rule}, not undefined` } : issue
    }
    return undefined
  }

/** Throws an error that names the first invalid option. */
export const check = (own: Rule, options: unknown): void => {
  const issue = own(options, "")
  if (issue !== undefined) throw new ClientOptionError(issue.path, issue.rule)
}

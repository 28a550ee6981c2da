import { fieldOf, type Fields, type Shape } from "../contract/Shape.ts"
import { expectedOneOf, meantBy } from "../errors/Nearest.ts"
import type { FieldIssue } from "../errors/Reason.ts"
import * as BodyPath from "../reading/BodyPath.ts"
import { type IssueOptions, issuesOf } from "../reading/Issues.ts"
import { isJsonObject } from "../reading/JsonObject.ts"
import { makeRecordWalker } from "../reading/RecordWalker.ts"

const unknownField = "Unknown field"

/** Issues in the words of a caller, who does not know the names of our schemas. */
const wording: IssueOptions = {
  // The arrays of requests are all of strings.
  expectedArray: "Expected an array of strings",
  expectedObject: ({ fields }) => `Expected an object with the fields ${Object.keys(fields).join(", ")}`,
  unknownField: ({ fields }, name) => `${unknownField}; ${expectedOneOf(name, Object.keys(fields))}`,
  meantBy
}

const none: ReadonlyArray<never> = []

/** A name that cannot be a misplaced device token, key or webhook URL: those are longer, or have digits or signs. */
export const plainName = /^[a-z_]{1,24}$/i

/** The issues of an input; empty for a valid one. */
export type InputCheck = (input: unknown) => ReadonlyArray<FieldIssue>

/**
 * Makes the check of an input. A key that the API document does not know is rejected: a filter with a typing error in its
 * name would list everything. Its name is not shown where it may be a misplaced secret. In the field `open`, unknown
 * fields are accepted.
 */
export const makeInputCheck = (shape: Fields | undefined, open?: string): InputCheck => {
  if (shape === undefined) return () => none
  const walk = makeRecordWalker(shape)
  return (input) => {
    // Most inputs are valid, and the walker of responses finds that out at a fraction of the cost.
    if (walk(input).isExact) return none
    return issuesOf(shape, input, wording).flatMap(({ path, rule }) => {
      const isUnknown = rule.startsWith(unknownField)
      if (isUnknown && path.length > 1 && path[0] === open) return []
      const isShown = !isUnknown || plainName.test(String(path.at(-1)))
      return [{ path: BodyPath.format(isShown ? path : path.slice(0, -1)), rule }]
    })
  }
}

const isList = (shape: Shape | undefined): boolean => "items" in Object(shape)

/**
 * A copy of an input as the wire needs it: without keys whose value is `undefined`, and with an array where the API has
 * only an array and the caller passed one string. Goes no deeper than requests do. Arrays are copied, because the caller
 * can change its own while the call runs.
 */
export const inWireForm = (value: unknown, shape: Shape | undefined, depth = 1): unknown => {
  if (Array.isArray(value)) return [...value]
  if (typeof value === "string" && isList(shape)) return [value]
  if (!isJsonObject(value) || value instanceof Date || depth < 0) return value
  // Spreading also copies a key `__proto__`, which is to be refused like every unknown field.
  const copy: Record<string, unknown> = { ...value }
  for (const key of Object.keys(copy)) {
    const part = copy[key]
    const field = fieldOf(shape, key)
    // Without its list of tokens, an upsert can remove those that are stored: a list that the caller failed to look up.
    if (part === undefined && !(depth === 0 && isList(field))) delete copy[key]
    else copy[key] = inWireForm(part, field, depth - 1)
  }
  return copy
}

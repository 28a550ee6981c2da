import type { Fields } from "../contract/Shape.ts"
import type { FieldIssue } from "../errors/Reason.ts"
import * as BodyPath from "../reading/BodyPath.ts"
import { type IssueOptions, issuesOf } from "../reading/Issues.ts"
import { isJsonObject } from "../reading/JsonObject.ts"

const unknownField = "Unknown field"

const fieldNames = ({ fields }: Fields): string => Object.keys(fields).join(", ")

/** Issues in the words of a caller, who does not know the names of our schemas. */
const wording: IssueOptions = {
  // The arrays of requests are all of strings.
  expectedArray: "Expected an array of strings",
  expectedObject: (shape) => `Expected an object with the fields ${fieldNames(shape)}`,
  unknownField: (shape) => `${unknownField}; allowed are ${fieldNames(shape)}`
}

/** The issues of an input; empty for a valid one. */
export type InputCheck = (input: unknown) => ReadonlyArray<FieldIssue>

/**
 * Makes the check of an input. A key that the API document does not know is rejected: a filter with a typing error in its
 * name would list everything. Its name is shown only where it cannot be a misplaced secret. In the field `open`, unknown
 * fields are accepted.
 */
export const makeInputCheck =
  (shape: Fields | undefined, showsNames = false, open?: string): InputCheck =>
  (input) =>
    shape === undefined
      ? []
      : issuesOf(shape, input, wording).flatMap(({ path, rule }) => {
          const isUnknown = rule.startsWith(unknownField)
          if (isUnknown && path.length > 1 && path[0] === open) return []
          return [{ path: BodyPath.format(showsNames || !isUnknown ? path : path.slice(0, -1)), rule }]
        })

/**
 * A copy without the keys whose value is `undefined`: for the wire they are not given. No input has objects deeper than
 * its own fields. Lists are copied, too: who changes one while the call runs must not change what the call knows of it.
 */
export const withoutUndefined = (value: unknown, depth = 1): unknown => {
  if (Array.isArray(value)) return [...value]
  if (!isJsonObject(value) || depth < 0) return value
  // An assignment would not copy a key `__proto__`, which is to be refused like every unknown field.
  const entries = Object.entries(value).filter(([, part]) => part !== undefined)
  return Object.fromEntries(entries.map(([key, part]) => [key, withoutUndefined(part, depth - 1)]))
}

import * as Result from "effect/Result"
import type * as Schema from "effect/Schema"
import * as SchemaIssue from "effect/SchemaIssue"
import * as SchemaParser from "effect/SchemaParser"
import { type InputCheck, plainName } from "../../src/call/Input.ts"
import * as BodyPath from "../../src/reading/BodyPath.ts"

const unknownField = "Unknown field"

/** The allowed values, in the words of a caller, who does not know the names of our schemas. */
const ruleOf: SchemaIssue.LeafHook = (issue) => {
  const ast = "ast" in issue ? issue.ast : undefined
  // The arrays of requests are all of strings.
  if (ast?._tag === "Arrays") return "Expected an array of strings"
  if (ast?._tag !== "Objects") return SchemaIssue.defaultLeafHook(issue)
  const names = ast.propertySignatures.map(({ name }) => name).join(", ")
  return issue._tag === "UnexpectedKey"
    ? `${unknownField}; expected one of: ${names}`
    : `Expected an object with the fields ${names}`
}

const toIssues = SchemaIssue.makeFormatterStandardSchemaV1({ leafHook: ruleOf })

/**
 * Makes the check of an input. A key that the API document does not know is refused: a filter with a typing error in
 * its name would list everything. Its name is not shown where it may be a misplaced secret.
 */
export const makeSchemaInputCheck = (schema: Schema.Top | undefined): InputCheck => {
  if (schema === undefined) return () => []
  // The contract schemas of requests need no services, which `Schema.Top` does not say.
  const decode = SchemaParser.decodeUnknownResult(schema as Schema.Codec<unknown>)
  return (input) => {
    const result = decode(input, { errors: "all", onExcessProperty: "error" })
    if (Result.isSuccess(result)) return []
    return toIssues(result.failure).issues.map(({ message, path = [] }) => {
      const keys = path.map((segment) => (typeof segment === "object" ? segment.key : segment))
      const isNamed = !message.startsWith(unknownField) || plainName.test(String(keys.at(-1)))
      return { path: BodyPath.format(isNamed ? keys : keys.slice(0, -1)), rule: message }
    })
  }
}

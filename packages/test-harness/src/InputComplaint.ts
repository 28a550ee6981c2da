/**
 * What is wrong with input, in one line that names the place and what is allowed there.
 */
import type * as Schema from "effect/Schema"
import * as SchemaIssue from "effect/SchemaIssue"

const place = (subject: string, path: ReadonlyArray<PropertyKey | { readonly key: PropertyKey }> = []): string =>
  [subject, ...path.map((part) => String(typeof part === "object" ? part.key : part))].join(".")

const rule = (subject: string, message: string): string => {
  switch (message) {
    case "Missing key":
      return "is missing"
    case "Expected no excess property":
      return `is no part of a ${subject}`
    default:
      return message.replace(/^Expected /u, "must be ")
  }
}

/** The first thing that is wrong with a subject, such as `fault.point: is missing`. */
export const inputComplaint = (subject: string, error: Schema.SchemaError): RangeError => {
  const [first] = SchemaIssue.makeFormatterStandardSchemaV1()(error.issue).issues
  return new RangeError(`${place(subject, first?.path)}: ${rule(subject, first?.message ?? error.message)}`)
}

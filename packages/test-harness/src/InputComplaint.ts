/**
 * What is wrong with input, in one line that names the place and what is allowed there.
 */
import type * as Schema from "effect/Schema"
import * as SchemaIssue from "effect/SchemaIssue"

const place = (subject: string, path: ReadonlyArray<PropertyKey | { readonly key: PropertyKey }> = []): string =>
  [subject, ...path.map((part) => String(typeof part === "object" ? part.key : part))].join(".")

const kinds: Readonly<Record<string, string>> = {
  object: "an object",
  array: "an array",
  string: "text",
  number: "a number",
  boolean: "true or false"
}

const article = (word: string): string => (/^[aeiou]/u.test(word) ? "an" : "a")

const rule = (subject: string, message: string): string => {
  if (message === "Missing key") return "is missing"
  if (message === "Expected no excess property") return `is no part of ${article(subject)} ${subject}`
  const expected = /^Expected (.*)$/su.exec(message)?.[1]
  return expected === undefined ? message : `must be ${kinds[expected] ?? expected}`
}

/** The first thing that is wrong with a subject, such as `fault.point: is missing`. */
export const inputComplaint = (subject: string, error: Schema.SchemaError): RangeError => {
  const [first] = SchemaIssue.makeFormatterStandardSchemaV1()(error.issue).issues
  return new RangeError(`${place(subject, first?.path)}: ${rule(subject, first?.message ?? error.message)}`)
}

/**
 * Refuses what nothing could be found by.
 *
 * @throws RangeError in one line that names the place.
 */
export const checkText = (place: string, value: unknown): void => {
  if (typeof value === "string" && value !== "") return
  throw new RangeError(`${place}: must be text that is not empty, not ${JSON.stringify(value)}`)
}

/**
 * Validates options and other input with schemas; errors name the field and the expected value.
 */
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as SchemaAST from "effect/SchemaAST"
import * as SchemaIssue from "effect/SchemaIssue"
import { expectedOneOf, meantBy } from "@signalbox/core/Nearest"

type Path = ReadonlyArray<PropertyKey | { readonly key: PropertyKey }>

const keyOf = (part: Path[number]): string => String(typeof part === "object" ? part.key : part)

const kinds: Readonly<Record<string, string>> = {
  object: "an object",
  array: "an array",
  string: "a string",
  number: "a number",
  boolean: "true or false"
}

const at = (value: unknown, path: ReadonlyArray<string>): unknown => {
  let part = value
  for (const name of path) part = part === null || typeof part !== "object" ? undefined : Reflect.get(part, name)
  return part
}

const tagged =
  (tag: unknown) =>
  (ast: SchemaAST.Objects): boolean =>
    ast.propertySignatures.some(
      ({ name, type }) => name === "_tag" && SchemaAST.isLiteral(type) && type.literal === tag
    )

/** The allowed names of an object at a path, in a union those for the tag of the value; empty if they cannot be known. */
const namesAt = (ast: SchemaAST.AST, path: ReadonlyArray<string>, value: unknown): ReadonlyArray<string> => {
  const [first = "", ...rest] = path
  if (SchemaAST.isArrays(ast)) return ast.rest[0] === undefined ? [] : namesAt(ast.rest[0], rest, at(value, [first]))
  if (SchemaAST.isUnion(ast)) {
    const objects = ast.types.filter(SchemaAST.isObjects)
    const only = objects.length === 1 ? objects[0] : objects.find(tagged(at(value, ["_tag"])))
    return only === undefined ? [] : namesAt(only, path, value)
  }
  if (!SchemaAST.isObjects(ast)) return []
  if (path.length === 0) return ast.propertySignatures.map(({ name }) => String(name))
  const inner = ast.propertySignatures.find(({ name }) => name === first)
  return inner === undefined ? [] : namesAt(inner.type, rest, at(value, [first]))
}

/** A name of the input, on one line and without control characters. */
const shownName = (name: string): string => (/^[\P{C}]*$/u.test(name) ? name : JSON.stringify(name))

const placeOf = (subject: string, path: ReadonlyArray<string>): string =>
  [subject, ...path.map(shownName)].filter((part) => part !== "").join(".")

const shown = (value: unknown): string => {
  if (value === null) return ", not null"
  switch (typeof value) {
    case "string":
      return `, not ${JSON.stringify(value.length > 60 ? `${value.slice(0, 59)}…` : value)}`
    case "number":
    case "boolean":
    case "undefined":
      return `, not ${value}`
    default:
      return ""
  }
}

/** The rule of a list of values: `one of a, b` instead of a union in the syntax of TypeScript. */
const inWords = (expected: string): string =>
  /^"[^"]*"(?: \| "[^"]*")+$/u.test(expected)
    ? `one of ${expected.replaceAll('"', "").replaceAll(" | ", ", ")}`
    : (kinds[expected] ?? expected)

/** A rule and the value that breaks it; for a list of names, the one that was probably meant. */
const mustBe = (rule: string, value: unknown): string => {
  const [, tag, names = ""] = /(whose _tag is )?\bone of (.*)$/su.exec(rule) ?? []
  const given = tag === undefined ? value : Reflect.get(Object(value), "_tag")
  return `must be ${rule}${shown(given)}${meantBy(given, names.split(", "))}`
}

export const mustBeOneOf = (allowed: ReadonlyArray<string>, value: unknown): string =>
  mustBe(`one of ${allowed.join(", ")}`, value)

const unknownOption = (name: string, allowed: ReadonlyArray<string>): string => {
  if (allowed.length === 0) return "unknown option"
  // The options of faults in code name their point `at`.
  return `unknown option; ${expectedOneOf(name === "at" ? "point" : name, allowed)}`
}

/**
 * Rejects options with unknown names.
 *
 * @throws RangeError that names the option and what is expected.
 */
export const checkNames = (subject: string, options: unknown, allowed: ReadonlyArray<string>): void => {
  if (typeof options !== "object" || options === null) {
    throw new RangeError(`${subject}: must be an object${shown(options)}`)
  }
  const unknown = Object.keys(options).find((name) => !allowed.includes(name))
  if (unknown !== undefined) throw new RangeError(`${placeOf(subject, [unknown])}: ${unknownOption(unknown, allowed)}`)
}

/** Describes what is wrong with a value, such as `fault.point: is missing`. */
const inputError = (subject: string, schema: Schema.Top, { issue }: Schema.SchemaError, value: unknown): RangeError => {
  const [first] = SchemaIssue.makeFormatterStandardSchemaV1()(issue).issues
  const path = (first?.path ?? []).map(keyOf)
  const message = first?.message ?? "is not valid"
  const expected = /^Expected (.*)$/su.exec(message)?.[1]
  const rule = () => {
    if (message === "Missing key") return "is missing"
    if (message === "Expected no excess property")
      return unknownOption(path.at(-1) ?? "", namesAt(SchemaAST.toEncoded(schema.ast), path.slice(0, -1), value))
    return expected === undefined ? message : mustBe(inWords(expected), at(value, path))
  }
  return new RangeError(`${placeOf(subject, path)}: ${rule()}`)
}

/** How deep the fields of input are: `workflows.0.steps.0.wait.unit` of all records. */
const maxDepth = 6

const isPlain = (value: unknown): value is object =>
  typeof value === "object" && value !== null && Object.getPrototypeOf(value) === Object.prototype

/** Fields that are explicitly `undefined` are treated as omitted. */
const withoutUndefined = (value: unknown, depth = maxDepth): unknown => {
  if (depth === 0) return value
  if (Array.isArray(value)) return value.map((part) => withoutUndefined(part, depth - 1))
  if (!isPlain(value)) return value
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, part]) =>
      part === undefined ? [] : [[name, withoutUndefined(part, depth - 1)]]
    )
  )
}

/**
 * Makes a reader of a kind of input, such as the options of a function or a body of the control API. Its schema is made when
 * the first value is read: most programs read few kinds.
 *
 * @throws RangeError, from the reader, in one line that names the place and what is expected there.
 */
export const inputReader = <Value>(
  subject: string,
  schemaOf: () => Schema.Decoder<Value>
): ((value: unknown) => Value) => {
  let read: ((value: unknown) => Result.Result<Value, Schema.SchemaError>) | undefined
  return (value) => {
    read ??= Schema.decodeUnknownResult(schemaOf(), { onExcessProperty: "error" })
    const result = read(withoutUndefined(value))
    if (Result.isSuccess(result)) return result.success
    throw inputError(subject, schemaOf(), result.failure, value)
  }
}

/**
 * Makes a validator for options that are already typed.
 *
 * @throws RangeError, from the check, as a reader does.
 */
export const inputCheck = (subject: string, schemaOf: () => Schema.Decoder<unknown>): ((value: unknown) => void) => {
  const read = inputReader(subject, schemaOf)
  return (value) => void read(value)
}

export const NonEmpty = Schema.String.check(Schema.isMinLength(1, { expected: "a non-empty string" }))

export const integer = (minimum: number, maximum?: number): typeof Schema.Int =>
  Schema.Int.check(
    maximum === undefined
      ? Schema.isGreaterThanOrEqualTo(minimum, { expected: `an integer, ${minimum} or more` })
      : Schema.isBetween({ minimum, maximum }, { expected: `an integer from ${minimum} to ${maximum}` })
  )

export const Milliseconds = Schema.Finite.check(
  Schema.isGreaterThanOrEqualTo(0, { expected: "milliseconds, 0 or more" })
)

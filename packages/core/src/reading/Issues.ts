import type { BodyPath } from "./BodyPath.ts"
import { isJsonObject } from "./JsonObject.ts"
import {
  type AnyOf,
  deepestNesting,
  type Fields,
  isAbsenceWrong,
  isOptional,
  keeps,
  type Shape,
  shapeOf
} from "../contract/Shape.ts"

/** An issue of a value, and its position. */
export interface Issue {
  readonly path: BodyPath
  /** The expected value, without any value of the body. */
  readonly rule: string
}

/** How issues are found and worded. */
export interface IssueOptions {
  /** Whether fields that the API document requires are required, even though reading tolerates their absence. */
  readonly isStrict?: boolean
  readonly expectedArray?: string
  readonly expectedObject?: (shape: Fields) => string
  /** The issue for an unknown field; when absent, unknown fields are allowed. */
  readonly unknownField?: (shape: Fields, name: string) => string
  /** The end of the issue about a value that is not allowed, such as the one that was probably meant. */
  readonly meantBy?: (value: unknown, allowed: ReadonlyArray<string>) => string
}

type Kind = "string" | "number" | "boolean" | "null" | "array" | "object" | "other"

const kindOf = (value: unknown): Kind => {
  if (value === null) return "null"
  if (Array.isArray(value)) return "array"
  const kind = typeof value
  return kind === "string" || kind === "number" || kind === "boolean" || kind === "object" ? kind : "other"
}

const accepts = (shape: Shape, kind: Kind): boolean => {
  if (typeof shape === "string")
    return shape === "unknown" || shape === kind || (shape === "record" && kind === "object")
  if ("of" in shape) return shape.of === kind
  if ("items" in shape) return kind === "array"
  if ("fields" in shape) return kind === "object"
  if ("anyOf" in shape) return shape.anyOf.some((member) => accepts(member, kind))
  if ("oneOf" in shape) return kind === "string"
  if ("known" in shape) return kind === "string" || (kind === "number" && shape.numbers === true)
  return true
}

const expected = (shape: Shape): string => {
  if (typeof shape === "string") return shape === "record" ? "object" : shape
  if ("of" in shape) return shape.expected ?? shape.of
  if ("items" in shape) return "array"
  if ("fields" in shape) return shape.name ?? "object"
  if ("anyOf" in shape) return expectedAnyOf(shape)
  if ("oneOf" in shape) return `one of ${shape.oneOf.join(", ")}`
  if ("known" in shape) return shape.numbers ? "number | string" : "string"
  return `a value of the enclosing shape, nested at most ${deepestNesting} deep`
}

const expectedAnyOf = ({ anyOf }: AnyOf): string => [...new Set(anyOf.map(expected))].join(" | ")

/** Inputs can contain one where a time is expected. */
const isInvalidDate = (value: unknown): boolean => value instanceof Date && Number.isNaN(value.getTime())

/** Everything in a value that does not fit a shape, in the order of the shape. */
export const issuesOf = (shape: Shape, value: unknown, options: IssueOptions = {}): ReadonlyArray<Issue> => {
  const { expectedArray, expectedObject, isStrict, meantBy, unknownField } = options
  const issues: Array<Issue> = []
  const path: Array<PropertyKey> = []
  let depth = 0

  const add = (rule: string) => {
    issues.push({ path: [...path], rule })
  }

  const visitInside = (segment: PropertyKey, inner: Shape, part: unknown) => {
    path.push(segment)
    visit(inner, part)
    path.pop()
  }

  const visitFields = (object: Fields, record: Readonly<Record<string, unknown>>) => {
    if (unknownField !== undefined) {
      for (const name of Object.keys(record)) {
        if (Object.hasOwn(object.fields, name)) continue
        path.push(name)
        add(unknownField(object, name))
        path.pop()
      }
    }
    for (const name in object.fields) {
      const field = object.fields[name]
      if (field === undefined) continue
      if (name in record) visitInside(name, shapeOf(field), record[name])
      else if (!isOptional(field) || (isStrict && field[1] !== undefined && isAbsenceWrong(field[1], record))) {
        path.push(name)
        add("Missing key")
        path.pop()
      }
    }
  }

  const visit = (at: Shape, part: unknown): void => {
    const kind = kindOf(part)
    if (!accepts(at, kind)) {
      if (expectedArray !== undefined && typeof at === "object" && "items" in at) add(expectedArray)
      else if (expectedObject !== undefined && typeof at === "object" && "fields" in at) add(expectedObject(at))
      else add(isInvalidDate(part) ? "Expected a valid date" : `Expected ${expected(at)}`)
    } else if (typeof at === "string") {
      if (at === "number" && !Number.isFinite(part)) add("Expected a finite number")
    } else if ("of" in at) {
      // Its kind was checked above.
      for (const check of at.checks) if (!keeps(check, part as string | number)) add(`Expected ${check.expected}`)
    } else if ("items" in at) {
      for (const [index, item] of (part as ReadonlyArray<unknown>).entries()) visitInside(index, at.items, item)
    } else if ("fields" in at) visitFields(at, part as Readonly<Record<string, unknown>>)
    else if ("anyOf" in at) {
      const member = at.anyOf.find((one) => accepts(one, kind))
      if (member !== undefined) visit(member, part)
    } else if ("oneOf" in at) {
      if (!at.oneOf.includes(part as string)) add(`Expected ${expected(at)}${meantBy?.(part, at.oneOf) ?? ""}`)
    } else if ("known" in at) {
      if (kind === "number" && !Number.isFinite(part)) add("Expected a finite number")
    } else if (depth === deepestNesting) add(`Expected ${expected(at)}`)
    else {
      depth++
      visit(at.nested(), part)
      depth--
    }
  }

  visit(shape, value)
  return issues
}

/**
 * A copy without the fields that a shape does not know, of a value without issues. Nested and free-form values
 * are kept unchanged.
 */
export const knownPartsOf = (shape: Shape, value: unknown): unknown => {
  if (typeof shape === "string") return value
  if ("items" in shape && Array.isArray(value)) return value.map((item) => knownPartsOf(shape.items, item))
  if ("fields" in shape && isJsonObject(value)) {
    const copy: Record<string, unknown> = {}
    for (const [name, field] of Object.entries(shape.fields)) {
      if (name in value) copy[name] = knownPartsOf(shapeOf(field), value[name])
    }
    return copy
  }
  if ("anyOf" in shape) {
    const kind = kindOf(value)
    const member = shape.anyOf.find((one) => accepts(one, kind))
    return member === undefined ? value : knownPartsOf(member, value)
  }
  return value
}

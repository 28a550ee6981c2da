import type { Method, OperationName, OperationPositions } from "./Operations.ts"

/**
 * The shape of a JSON value, as data: the reader and the input checks use it at run time.
 *
 * `Shapes.ts` has the shapes of all operations, generated from the schemas. Data needs no schema library, is small,
 * and can be left out of a bundle part by part.
 */
export type Shape = Leaf | Checked | List | Fields | AnyOf | OneOf | Known | Nested

/** A number is finite; a record may have any fields. */
export type Leaf = "string" | "number" | "boolean" | "null" | "unknown" | "record"

/** A string or number with rules; every broken rule is an issue. */
export interface Checked {
  readonly of: "string" | "number"
  /** The expected values in the words of a message, where callers may also pass another kind, such as a `Date`. */
  readonly expected?: string
  readonly checks: ReadonlyArray<Check>
}

/** One rule of a string or number. */
export interface Check {
  /** The expected value, as the end of a sentence. */
  readonly expected: string
  readonly integer?: true
  readonly minimum?: number
  readonly maximum?: number
  readonly not?: ReadonlyArray<string>
}

/** Whether a value of the right kind keeps a rule. */
export const keeps = ({ integer, maximum, minimum, not }: Check, value: string | number): boolean =>
  typeof value === "string"
    ? not?.includes(value) !== true
    : (integer !== true || Number.isSafeInteger(value)) &&
      (minimum === undefined || value >= minimum) &&
      (maximum === undefined || value <= maximum)

/** An array. */
export interface List {
  readonly items: Shape
  /** Whether an empty array in a query is a condition, and sent as an empty value. */
  readonly emptyMeansNone?: true
}

/** An object. */
export interface Fields {
  /** Its name in issues; `object` when absent. */
  readonly name?: string
  readonly fields: Readonly<Record<string, Shape | Optional>>
}

/** The shape of a field that may be absent; an {@link Absence} says that the API document requires it. */
export type Optional = readonly [Shape] | readonly [Shape, Absence]

/** When the absence of a field that the API document requires is drift; always when empty. */
export interface Absence {
  /** The records in which the absence is expected, although the document requires the field. */
  readonly expectedWhere?: Where
  /** The only records in which the document requires the field. */
  readonly requiredWhere?: Where
}

/** The records whose field `field` has one of the values. */
export interface Where {
  readonly field: string
  readonly in: ReadonlyArray<string>
}

/** A value of one of several kinds; no two members have the same kind. */
export interface AnyOf {
  readonly anyOf: ReadonlyArray<Shape>
  /** The API document does not allow `null`: it is drift. */
  readonly nullIsDrift?: true
}

/** A closed enumeration. */
export interface OneOf {
  readonly oneOf: ReadonlyArray<string>
}

/** An open enumeration: other strings are accepted as drift. */
export interface Known {
  readonly known: ReadonlyArray<string | number>
  /** Whether other numbers are accepted, too. */
  readonly numbers?: true
}

/** A value of an enclosing shape. */
export interface Nested {
  readonly nested: () => Shape
}

/**
 * How deep values of a {@link Nested} shape may nest.
 *
 * Without a limit, a body with a few thousand levels would overflow the stack.
 */
export const deepestNesting = 100

/** The annotation of a filter of strings: the strings that it rejects, for the generated {@link Check}. */
export const forbiddenAnnotation = "signalbox/forbidden"

/** The annotation of an array of which an empty one is sent, for the generated {@link List}. */
export const emptyMeansNoneAnnotation = "signalbox/emptyMeansNone"

/** Whether a field may be absent. */
export const isOptional = (field: Shape | Optional): field is Optional => Array.isArray(field)

/** The shape of a field's value. */
export const shapeOf = (field: Shape | Optional): Shape => (isOptional(field) ? field[0] : field)

/** The shape of a named field's value; `undefined` where the value has no such field. */
export const fieldOf = (shape: Shape | undefined, name: string): Shape | undefined => {
  // Most shapes have no fields.
  const { fields = {} } = Object(shape) as Partial<Fields>
  const field = Object.hasOwn(fields, name) ? fields[name] : undefined
  return field && shapeOf(field)
}

const matches = ({ field, in: values }: Where, record: Readonly<Record<string, unknown>>): boolean =>
  // A value of another type is not in any list.
  values.includes(record[field] as string)

/** Whether the absence of the field in this record is drift. */
export const isAbsenceDrift = (absence: Absence, record: Readonly<Record<string, unknown>>): boolean =>
  absence.expectedWhere === undefined ? isAbsenceWrong(absence, record) : !matches(absence.expectedWhere, record)

/** Whether the API document requires the field in this record. */
export const isAbsenceWrong = ({ requiredWhere }: Absence, record: Readonly<Record<string, unknown>>): boolean =>
  requiredWhere === undefined || matches(requiredWhere, record)

/** The wire of an operation, as data: everything that a call needs to check, send and read. */
export interface OperationWire<out A = unknown, out Name extends OperationName = OperationName> {
  readonly name: Name
  readonly method: Method
  /** Path below the base URL; `:name` stands for a path parameter. */
  readonly path: string
  /** Where its secrets, appended lists and vendor identifiers are. */
  readonly positions: OperationPositions
  /** Path parameters; absent when the operation has none. */
  readonly params?: Fields
  /** Query parameters; absent when the operation has none. */
  readonly query?: Fields
  /** JSON body of the request; absent when the operation has none. */
  readonly payload?: Fields
  /** Body of a successful response, read as an `A`. */
  readonly read: Shape & { readonly _A?: A }
}

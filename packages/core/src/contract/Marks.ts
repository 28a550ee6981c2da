/**
 * Annotations on the fields of records: deviations from the API document that reading tolerates, and the position of
 * the vendor's name.
 *
 * **When to use**: in the schemas of records in this folder. Everything else about reading is derived from the marks: the
 * read schemas, the tables of the reader, the models' comments, the list of relaxations and the positions of identifiers.
 * Enumerations need no mark: every one in a response is open.
 */
import * as Schema from "effect/Schema"
import type { Absence } from "./Shape.ts"

/** A record of the API document, with its name in the OpenAPI document. */
export const record = <const Fields extends Schema.Struct.Fields>(
  identifier: string,
  fields: Fields
): Schema.Struct<Fields> => Schema.Struct(fields).annotate({ identifier })

/** Why reading tolerates a difference, and what a reader of the model needs to know of it. */
export interface Tolerance {
  /** The observation, as a sentence without a full stop. */
  readonly because: string
  /** Ends the comment of the model's field: "absent where …". */
  readonly note: string
}

/** A field that the document requires and that may be absent. */
export interface ToleratedAbsence extends Tolerance {
  /** Where the absence is drift; everywhere when unset. */
  readonly absence?: Absence
}

/** The shapes of a union that are read as one. */
export interface ReadAsOne {
  readonly because: string
  /** Comment of the field that tells the shapes apart in the document. */
  readonly discriminator: string
}

const absenceMark = "signalbox/toleratedAbsence"
const nullMark = "signalbox/toleratedNull"
const readAsOneMark = "signalbox/readAsOne"

/** A field that the document requires and that may be absent in a response, which is drift except where `absence` says otherwise. */
export const mayBeAbsent = <S extends Schema.Top>(schema: S, tolerance: ToleratedAbsence): S["Rebuild"] =>
  schema.annotateKey({ [absenceMark]: tolerance })

/** A value that may be `null` in a response although the document does not allow it, which is drift. */
export const mayBeNull = <S extends Schema.Top>(schema: S, tolerance: Tolerance): S["Rebuild"] =>
  schema.annotate({ [nullMark]: tolerance })

/** A union of records that reading cannot tell apart: it accepts one record with the fields of all of them. */
export const readAsOne = <S extends Schema.Top>(schema: S, mark: ReadAsOne): S["Rebuild"] =>
  schema.annotate({ [readAsOneMark]: mark })

const vendorMark = "signalbox/vendorIdentifier"

/** A value with the vendor's name in it, where the document has the word `service`. */
export const vendorIdentifier = <S extends Schema.Top>(schema: S): S["Rebuild"] =>
  schema.annotateKey({ [vendorMark]: true })

/** Whether a field is marked with {@link vendorIdentifier}. */
export const isVendorIdentifier = (field: Ast): boolean => field.context?.annotations?.[vendorMark] === true

type Ast = Schema.Top["ast"]

// The annotations are only ever set by the functions above, with values of these types.
/** The mark of {@link mayBeAbsent}. */
export const toleratedAbsenceOf = (field: Ast): ToleratedAbsence | undefined =>
  field.context?.annotations?.[absenceMark] as ToleratedAbsence | undefined

/** The mark of {@link mayBeNull}. */
export const toleratedNullOf = (value: Ast): Tolerance | undefined =>
  value.annotations?.[nullMark] as Tolerance | undefined

/** The mark of {@link readAsOne}. */
export const readAsOneOf = (union: Ast): ReadAsOne | undefined =>
  union.annotations?.[readAsOneMark] as ReadAsOne | undefined

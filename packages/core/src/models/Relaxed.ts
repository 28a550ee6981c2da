import * as Schema from "effect/Schema"

/**
 * The annotation of a value that the document requires and reading does not.
 *
 * Its value says of which records that is so well known that its absence is no drift.
 */
export const relaxedAnnotation = "signalbox/relaxed"

/** Whether a record is one in which the absence is expected. */
export type IsExpected = (record: Readonly<Record<string, unknown>>) => boolean

const never: IsExpected = () => false

/**
 * A field that the document requires and that may be absent in a response.
 *
 * The absence is drift, except in the records for which `isExpected` holds.
 */
export const mayBeAbsent = <S extends Schema.Top>(schema: S, isExpected: IsExpected = never) =>
  Schema.optionalKey(schema).annotateKey({ [relaxedAnnotation]: isExpected })

/**
 * A value that is `null` in a response although the document does not allow it; being so is drift.
 */
export const mayBeNull = <S extends Schema.Top>(schema: S) =>
  Schema.NullOr(schema).annotate({ [relaxedAnnotation]: never })

import * as Schema from "effect/Schema"
import type { Absence } from "../contract/Shape.ts"

/**
 * The annotation of a value that the API document requires and reading does not: an {@link Absence}.
 */
export const relaxedAnnotation = "signalbox/relaxed"

/**
 * A field that the API document requires and that may be absent in a response. Its absence is drift, except where
 * `absence` says otherwise.
 */
export const mayBeAbsent = <S extends Schema.Top>(schema: S, absence: Absence = {}) =>
  Schema.optionalKey(schema).annotateKey({ [relaxedAnnotation]: absence })

/**
 * A value that may be `null` in a response although the API document does not allow it; `null` is drift.
 */
export const mayBeNull = <S extends Schema.Top>(schema: S) =>
  Schema.NullOr(schema).annotate({ [relaxedAnnotation]: {} })

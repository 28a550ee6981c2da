/**
 * Drift: parts of a response that the API document does not describe, and parts that could not be read.
 *
 * **When to use**: to handle `drift` and `unreadable` of a call (`CallInfo.withInfo`), or the reports of a custom `Drift`.
 *
 * @since 0.1.0
 */
import type { OperationName } from "../contract/Operations.ts"
/**
 * A part of a response that did not decode and was left out of the value.
 */
export interface Unreadable {
  /** Path of the part in the body, for example `data[3].jobs[0]`. */
  readonly path: string
  /** What was expected and where, without any value of the body. */
  readonly rule: string
  /**
   * The part as the service sent it.
   *
   * Not enumerable, because it can hold secrets: it does not show in logs, `JSON.stringify` or `inspect`.
   */
  readonly raw: unknown
}

/**
 * Something that the service sent and the API document does not know.
 *
 * - `unknown-enum-value`: a value outside of the values of the document; `value` says which
 * - `unknown-field`: a field that the document does not have
 * - `missing-field`: a field that the document requires is absent, or `null` where it allows none
 * - `unreadable`: a part that does not decode; `rule` says why
 *
 * @example
 * ```ts
 * import type { DriftEntry } from "@signalbox/core/DriftEntry"
 *
 * const lineOf = (entry: DriftEntry): string =>
 *   entry.kind === "unknown-enum-value" ? `${entry.path} is ${entry.value}` : `${entry.path}: ${entry.kind}`
 * lineOf({ kind: "unknown-field", path: "data[0].colour" }) // => "data[0].colour: unknown-field"
 * ```
 */
export type DriftEntry =
  | { readonly kind: "unknown-enum-value"; readonly path: string; readonly value: string | number }
  | { readonly kind: "unknown-field"; readonly path: string }
  | { readonly kind: "missing-field"; readonly path: string }
  | { readonly kind: "unreadable"; readonly path: string; readonly rule: string }

/** The drift of one response. */
export interface DriftReport {
  /** The operation. */
  readonly operation: OperationName
  /** The differences, at least one. */
  readonly entries: ReadonlyArray<DriftEntry>
  /** How many differences there are; `entries` has the first 100. */
  readonly count: number
  /** The parts of the response that could not be read and are missing from the value. */
  readonly unreadable: ReadonlyArray<Unreadable>
}

/**
 * Makes an {@link Unreadable} whose raw value stays out of everything that enumerates it.
 */
export const makeUnreadable = (path: string, rule: string, raw: unknown): Unreadable =>
  // `defineProperty` is typed to return the object it was given, which has no `raw` yet.
  Object.defineProperty({ path, rule }, "raw", { value: raw, enumerable: false }) as Unreadable

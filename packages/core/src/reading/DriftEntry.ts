import type { AnyOperationName } from "../contract/Operations.ts"

/**
 * A part of a response that could not be decoded and was left out of the value.
 */
export interface Unreadable {
  /** Path of the part in the body, for example `data[3].jobs[0]`. */
  readonly path: string
  /** The expected value and its position, without any value of the body. */
  readonly rule: string
  /**
   * The part, unchanged.
   *
   * Not enumerable, because it can contain secrets: it is absent from logs, `JSON.stringify` or `inspect`.
   */
  readonly raw: unknown
}

/**
 * A difference between a response and the API document.
 *
 * - `unknown-enum-value`: a value that the document does not list; `value` is that value
 * - `unknown-field`: a field that the document does not have; it is left out of the value
 * - `missing-field`: a field that the document requires is absent, or `null` where `null` is not allowed
 * - `unreadable`: a part that cannot be decoded and is left out; `rule` says why. `hasMore`, `page` and `pageSize` of a page
 *   are derived from the number of records instead
 *
 * @example
 * ```ts
 * import type { DriftEntry } from "@signalbox/core/Drift"
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
  readonly operation: AnyOperationName
  /** The differences, at least one. */
  readonly entries: ReadonlyArray<DriftEntry>
  /** How many differences there are; `entries` has the first 100. */
  readonly count: number
  /** The parts of the response that could not be read and are missing from the value. */
  readonly unreadable: ReadonlyArray<Unreadable>
}

/**
 * Makes an {@link Unreadable} whose raw value is not enumerable.
 */
export const makeUnreadable = (path: string, rule: string, raw: unknown): Unreadable =>
  // `defineProperty` returns the type of its argument, which has no `raw` yet.
  Object.defineProperty({ path, rule }, "raw", { value: raw, enumerable: false }) as Unreadable

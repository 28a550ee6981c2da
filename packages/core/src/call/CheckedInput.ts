import type { FieldIssue } from "../errors/Reason.ts"

/** An input that was checked. Without issues its other fields are the parts of a request. */
export interface CheckedInput {
  /** The issues of the input. */
  readonly issues: ReadonlyArray<FieldIssue>
  /** The path below the base URL, with its parameters filled in and the query. */
  readonly path: () => string
  /** The parameters of the query. */
  readonly parameters: Readonly<Record<string, unknown>>
  /** The body before it is written as JSON; `undefined` without one. */
  readonly body: unknown
  /** The secrets of the input. */
  readonly secrets: () => ReadonlyArray<string>
  /** Why applying the request twice does harm, as a sentence; `undefined` when it is harmless. */
  readonly unsafeToRetry: string | undefined
}

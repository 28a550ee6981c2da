/**
 * Progress of checking an input.
 */
import * as Context from "effect/Context"

/** Progress of reading and checking an input before its run starts. */
export interface CheckProgress {
  readonly lines: number
  /** The part of the input that was read, from 0 to 1; `undefined` for a URL. */
  readonly share: number | undefined
}

/**
 * Receives the progress of checking an input, each time that a part of it was read; must not throw.
 *
 * @example
 * ```ts
 * import * as Effect from "effect/Effect"
 * import { checkImport, CheckObserver } from "@signalbox/bulk"
 *
 * const seen: Array<number> = []
 * const program = checkImport({ input: "tokens.ndjson" }).pipe(
 *   Effect.provideService(CheckObserver, ({ lines }) => seen.push(lines))
 * )
 * ```
 */
export const CheckObserver = Context.Reference<((progress: CheckProgress) => void) | undefined>(
  "signalbox/bulk/CheckObserver",
  { defaultValue: () => undefined }
)

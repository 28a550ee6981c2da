/**
 * Drift: parts of a response that the API document does not describe, and parts that could not be read.
 *
 * **When to use**: to count drift, or to report it to the maintainers of this library. `CallInfo.withInfo` has the drift of
 * a single call.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type { DriftEntry, DriftReport } from "../reading/DriftEntry.ts"
import type { AnyOperationName } from "../contract/Operations.ts"
import { Warnings } from "./Policies.ts"

export * from "../reading/DriftEntry.ts"

/** Receives reports of drift. */
export interface Drift {
  /** Called once for each response that has drift; its effect must not fail. */
  readonly report: (report: DriftReport) => Effect.Effect<void>
}

// Report a field once, not for every element of an array.
const placeOf = (entry: DriftEntry): string => entry.path.replace(/\[\d+\]/g, "[]")

// Per process, like warnings: a second client need not repeat them.
const warned = new Set<string>()

// Bounded, in case a service generates field names.
const warnedLimit = 1000

const describe = (operation: AnyOperationName, entry: DriftEntry): string => {
  const at = `${operation}: ${placeOf(entry) || "the body"}`
  switch (entry.kind) {
    case "unknown-enum-value":
      return `${at} has a value that the API document does not list`
    case "unknown-field":
      return `${at} is a field that the API document does not describe; it was left out`
    case "missing-field":
      return `${at} is missing although the API document requires it`
    case "unreadable":
      return `${at} could not be read and was left out`
  }
}

/** Warns once for each distinct kind and place in a process. */
export const standard: Drift = {
  report: Effect.fnUntraced(function* ({ entries, operation }) {
    const warn = yield* Warnings
    for (const entry of entries) {
      const key = `${operation} ${entry.kind} ${placeOf(entry)}`
      if (warned.has(key) || warned.size >= warnedLimit) continue
      warned.add(key)
      yield* warn(describe(operation, entry))
    }
  })
}

/** Discards all reports. */
export const silent: Drift = { report: () => Effect.void }

/**
 * The reporter in effect: provided to a call, or when the service was built; {@link standard} by default.
 *
 * @example
 * ```ts
 * import * as Effect from "effect/Effect"
 * import * as Layer from "effect/Layer"
 * import { Drift } from "@signalbox/core/Drift"
 *
 * const places: Array<string> = []
 * const counted = Layer.succeed(Drift, {
 *   report: ({ entries, operation }) =>
 *     Effect.sync(() => {
 *       for (const { kind, path } of entries) places.push(`${operation} ${path} ${kind}`)
 *     })
 * })
 * ```
 */
export const Drift = Context.Reference<Drift>("signalbox/core/Drift", { defaultValue: () => standard })

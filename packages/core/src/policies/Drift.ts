/**
 * Where drift goes: what the service sent and the API document does not know.
 *
 * **When to use**: to count drift, or to send it to those who keep this library up to date. A single call tells of its
 * own drift by `CallInfo.withInfo`.
 *
 * @since 0.1.0
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type { DriftEntry, DriftReport } from "../reading/DriftEntry.ts"
import type { OperationName } from "../contract/Operations.ts"
import { Warnings } from "./Warnings.ts"

export type { DriftReport } from "../reading/DriftEntry.ts"

/** Is told about drift; its effect must not fail. */
export interface Drift {
  /** Called once for each answer that has drift. */
  readonly report: (report: DriftReport) => Effect.Effect<void>
}

// One index of an array stands for all of them: the same field of another record is not news.
const placeOf = (entry: DriftEntry): string => entry.path.replace(/\[\d+\]/g, "[]")

// By process, as warnings are: a second client learns nothing from being told again.
const warned = new Set<string>()

// A service that makes up field names must not fill the memory of its clients.
const warnedLimit = 1000

const describe = (operation: OperationName, entry: DriftEntry): string => {
  const at = `${operation}: ${placeOf(entry) || "the body"}`
  switch (entry.kind) {
    case "unknown-enum-value":
      return `${at} has a value that the API document does not know`
    case "unknown-field":
      return `${at} is a field that the API document does not know`
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

/** Tells nobody. */
export const silent: Drift = { report: () => Effect.void }

/**
 * Who is told about drift: given at a call, or when the service was built, or {@link standard}.
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

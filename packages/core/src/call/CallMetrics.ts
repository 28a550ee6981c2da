/**
 * Metrics of calls: their duration, their HTTP exchanges and the drift of their responses.
 *
 * `Client.layer` records metrics. A service built on its own records them only where {@link CallMetrics} is
 * provided, so that a program without metrics does not bundle them.
 *
 * **When to use**: to send the metrics somewhere other than Effect's metrics.
 */
import * as Context from "effect/Context"
import * as Metric from "effect/Metric"
import type { AnyOperationName } from "../contract/Operations.ts"

/** A finished call. */
export interface EndedCall {
  /** The operation. */
  readonly operation: AnyOperationName
  /** `success`, or the tag of the reason it failed for. */
  readonly outcome: string
  /** Duration, including delays, in milliseconds. */
  readonly durationMs: number
  /** Number of HTTP exchanges. */
  readonly attempts: number
  /** Number of parts of the response that the API document does not describe. */
  readonly drift: number
}

/** Records every finished call. */
export interface CallMetrics {
  /** Must not throw. `context` is the context of the call. */
  readonly record: (call: EndedCall, context: Context.Context<never>) => void
}

const boundaries = [5, 10, 25, 50, 100, 250, 500, 1000, 2500, 5000, 10_000, 30_000, 60_000]

type MetricOfCalls = Metric.Counter<number> | Metric.Histogram<number>

const metrics = new Map<string, MetricOfCalls>()

/** Metrics are made when they are first needed, one for each combination of attributes. */
const metricOf = (key: string, make: () => MetricOfCalls): MetricOfCalls => {
  const known = metrics.get(key)
  if (known !== undefined) return known
  const made = make()
  metrics.set(key, made)
  return made
}

const durationOf = ({ operation, outcome }: EndedCall) =>
  metricOf(`duration ${operation} ${outcome}`, () =>
    Metric.histogram("signalbox.call.duration", {
      description: "Duration of calls in milliseconds",
      attributes: { operation, outcome },
      boundaries
    })
  )

const attemptsOf = ({ operation }: EndedCall) =>
  metricOf(`attempts ${operation}`, () =>
    Metric.counter("signalbox.call.attempts", {
      description: "HTTP exchanges of calls",
      attributes: { operation },
      incremental: true
    })
  )

const driftOf = () =>
  metricOf("drift", () =>
    Metric.counter("signalbox.drift", {
      description: "Drift of responses",
      incremental: true
    })
  )

/**
 * Effect's metrics: the histogram `signalbox.call.duration` by operation and outcome, and the counters
 * `signalbox.call.attempts` by operation and `signalbox.drift`.
 */
export const standard: CallMetrics = {
  record: (call, context) => {
    durationOf(call).updateUnsafe(call.durationMs, context)
    attemptsOf(call).updateUnsafe(call.attempts, context)
    if (call.drift > 0) driftOf().updateUnsafe(call.drift, context)
  }
}

/**
 * The metrics in effect: provided to a call, or when the service was built; unset by default.
 *
 * @example
 * ```ts
 * import { CallMetrics } from "@signalbox/core/CallMetrics"
 * import * as Layer from "effect/Layer"
 *
 * const slow: Array<string> = []
 * const metrics = Layer.succeed(CallMetrics, {
 *   record: ({ durationMs, operation }) => {
 *     if (durationMs > 1000) slow.push(operation)
 *   }
 * })
 * ```
 */
export const CallMetrics = Context.Reference<CallMetrics | undefined>("signalbox/core/CallMetrics", {
  defaultValue: () => undefined
})

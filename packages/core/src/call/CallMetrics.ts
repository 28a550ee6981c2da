/**
 * Calls as numbers: how long they take, how many exchanges they need, how much drift their answers have.
 *
 * `Client.layer` measures. A service by itself measures where {@link layer} is given, so that a program without
 * metrics does not carry them.
 *
 * **When to use**: to send the numbers somewhere else than to Effect's metrics.
 *
 * @since 0.1.0
 */
import * as Context from "effect/Context"
import * as Layer from "effect/Layer"
import * as Metric from "effect/Metric"
import type { OperationName } from "../contract/Operations.ts"

/** A call that has ended. */
export interface EndedCall {
  /** Which operation. */
  readonly operation: OperationName
  /** `success`, or the tag of the reason for which it failed. */
  readonly outcome: string
  /** How long it took, its delays included, in milliseconds. */
  readonly durationMs: number
  /** Its HTTP exchanges. */
  readonly attempts: number
  /** What its answer has and the API document does not know. */
  readonly drift: number
}

/** Is told about every call that has ended. */
export interface CallMetrics {
  /** Must not throw; the context is that of the call. */
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
      description: "Parts of answers that the API document does not know",
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

/** Who is told about calls that have ended: given at a call, or when the service was built, else nobody. */
export const CallMetrics = Context.Reference<CallMetrics | undefined>("signalbox/core/CallMetrics", {
  defaultValue: () => undefined
})

/**
 * Measures the calls of everything that this layer is provided to, or is merged beside.
 *
 * @example
 * ```ts
 * import * as CallMetrics from "@signalbox/core/CallMetrics"
 *
 * const slow: Array<string> = []
 * const metrics = CallMetrics.layer({
 *   record: ({ durationMs, operation }) => {
 *     if (durationMs > 1000) slow.push(operation)
 *   }
 * })
 * ```
 */
export const layer = (metrics: CallMetrics = standard): Layer.Layer<never> => Layer.succeed(CallMetrics, metrics)

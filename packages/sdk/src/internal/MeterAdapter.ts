import type { CallMetrics } from "@signalbox/core/CallMetrics"
import type { OpenTelemetryMeter } from "../OpenTelemetryMeter.ts"

/** The metrics of calls, recorded with a meter of `@opentelemetry/api`; their names are those of core's own metrics. */
export const metricsOf = (meter: OpenTelemetryMeter): CallMetrics => {
  const duration = meter.createHistogram("signalbox.call.duration", { unit: "ms" })
  const attemptsOfCalls = meter.createCounter("signalbox.call.attempts")
  const driftOfCalls = meter.createCounter("signalbox.drift")
  return {
    record: ({ attempts, drift, durationMs, operation, outcome }) => {
      try {
        duration.record(durationMs, { operation, outcome })
        attemptsOfCalls.add(attempts, { operation })
        if (drift > 0) driftOfCalls.add(drift, { operation })
      } catch {
        // A failing meter must not fail the call.
      }
    }
  }
}

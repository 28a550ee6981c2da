/**
 * Checks what calls report while they run: secrets, spans and metrics. Every family uses these rules.
 */
import { inspect } from "node:util"
import type { Attempt } from "@signalbox/core/Errors"
import type { JournalEntry } from "@signalbox/test-harness"
import type { Observed } from "./Family.ts"
import { unless } from "./Finding.ts"
import type { Recording } from "./Recorder.ts"
import { wrongReadings } from "./SchemaReading.ts"

/** Everything that a recording or errors would show in a log. */
export const shownBy = (recording: Recording | undefined, errors: ReadonlyArray<unknown>): string =>
  [
    ...errors.flatMap((error) => [
      inspect(error, { depth: 9 }),
      JSON.stringify(error),
      error instanceof Error ? error.stack : ""
    ]),
    ...(recording === undefined
      ? []
      : [
          JSON.stringify([recording.attempts, recording.metrics]),
          inspect(
            // The status has the returned value, which no exporter reads.
            [recording.drift, recording.spans.map(({ attributes, events, name }) => ({ name, attributes, events }))],
            { depth: 9 }
          )
        ])
  ].join("\n")

/** Findings about secrets in what was shown. */
export const leakedSecrets = (shown: string, secrets: ReadonlyArray<string>): ReadonlyArray<string> =>
  unless(
    !secrets.some((secret) => shown.includes(secret) || shown.includes(encodeURIComponent(secret))),
    "shows a secret"
  )

/** Findings about requests that outlive their work; the clock of the service is `ahead` milliseconds ahead. */
export const lateRequests = (
  { endedAt, journal }: Pick<Observed, "journal"> & { readonly endedAt: number },
  ahead: number
): ReadonlyArray<string> =>
  journal.flatMap(({ at, number, outcome }) => [
    ...(at - ahead > endedAt ? [`sent request ${number} after its end`] : []),
    ...(outcome._tag === "Pending" ? [`request ${number} is still pending`] : [])
  ])

/** Findings about how many requests a client had in flight. */
export const tooConcurrent = (journal: ReadonlyArray<JournalEntry>, limit: number): ReadonlyArray<string> => {
  const inFlight = ({ at }: JournalEntry) =>
    journal.filter((other) => other.at <= at && at < (other.endedAt ?? Infinity)).length
  const most = Math.max(0, ...journal.map(inFlight))
  return unless(most <= limit, `made ${most} concurrent calls, the limit is ${limit}`)
}

/** How one call ended, as its span and metrics must say it. */
export interface EndOfCall {
  readonly attempts: ReadonlyArray<Attempt>
  /** `success` or the tag of the reason; `undefined` for an aborted call, which has neither. */
  readonly outcome: string | undefined
  readonly durationMs: number
}

const spansOfCalls = ({ spans }: Recording) => spans.filter(({ attributes }) => attributes.has("signalbox.operation"))

/** Findings about spans: ended, with an event for each attempt. */
const wrongSpans = (recording: Recording): ReadonlyArray<string> => {
  const spans = spansOfCalls(recording)
  const events = spans.flatMap((span) => span.events).filter(([name]) => name === "signalbox.attempt")
  const outcomes = events
    .map(([, , attributes]) => attributes?.["signalbox.attempt.outcome"])
    // The attempt that an abort ended has an event, and is not one of the call.
    .filter((outcome) => outcome !== "Interrupted")
  const expected = recording.attempts.map(({ outcome }) => outcome)
  return [
    ...unless(
      recording.spans.every(({ status }) => status._tag === "Ended"),
      "left a span open"
    ),
    ...unless(
      outcomes.toSorted().join() === expected.toSorted().join(),
      "has span events that differ from its attempts"
    )
  ]
}

const wrongDrift = ({ drift, infos }: Recording): ReadonlyArray<string> => {
  const reported = drift.flatMap(({ entries }) => entries).length
  const expected = infos.flatMap((info) => info.drift).length
  return unless(reported === expected, `reported ${reported} drift entries, expected ${expected}`)
}

const sumOf = (numbers: ReadonlyArray<number>): number => numbers.reduce((one, other) => one + other, 0)

const wrongMetrics = ({ attempts, infos, metrics, spans }: Recording): ReadonlyArray<string> => {
  // An aborted call has attempts and a span, but no metrics.
  const isAborted = metrics.length < spans.length
  const counted = sumOf(metrics.map((call) => call.attempts))
  const succeeded = metrics.filter(({ outcome }) => outcome === "success").length
  return [
    ...unless(
      counted === attempts.length || (isAborted && counted < attempts.length),
      `recorded ${counted} attempts in its metrics, expected ${attempts.length}`
    ),
    ...unless(succeeded === infos.length, `recorded ${succeeded} successes in its metrics, expected ${infos.length}`)
  ]
}

/** Findings about what calls report: drift, spans and metrics that agree with each other and with the schemas. */
export const wrongReports = (recording: Recording, vendor = "service"): ReadonlyArray<string> => [
  ...wrongDrift(recording),
  ...wrongReadings(recording, vendor),
  ...wrongSpans(recording),
  ...wrongMetrics(recording)
]

/** Findings about the span and the metrics of a single call. */
export const wrongTelemetry = (recording: Recording, end: EndOfCall): ReadonlyArray<string> => {
  const [span, ...others] = spansOfCalls(recording)
  if (span === undefined || others.length > 0) return [`has ${recording.spans.length} spans for one call`]
  const status = end.attempts.at(-1)?.status
  const expected = {
    "signalbox.reason": end.outcome === "success" ? undefined : end.outcome,
    "error.type": end.outcome === "success" ? undefined : (status?.toString() ?? end.outcome),
    "http.response.status_code": status,
    "http.request.resend_count": end.attempts.length > 1 ? end.attempts.length - 1 : undefined
  }
  const wrong = Object.entries(expected).filter(([name, value]) => span.attributes.get(name) !== value)
  const [metric, ...more] = recording.metrics
  const isRight =
    metric?.outcome === end.outcome && metric?.attempts === end.attempts.length && metric.durationMs === end.durationMs
  if (end.outcome === undefined) return unless(recording.metrics.length === 0, "recorded metrics of an aborted call")
  return [
    ...wrong.map(
      ([name, value]) => `has a span with ${name} ${String(span.attributes.get(name))}, expected ${String(value)}`
    ),
    ...unless(isRight && more.length === 0, `recorded the metrics ${JSON.stringify(recording.metrics)}`)
  ]
}

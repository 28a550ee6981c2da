/**
 * Telemetry of the work on a run: a span around its calls, and a counter of lines by outcome.
 */
import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Metric from "effect/Metric"
import * as Schedule from "effect/Schedule"
import type { RunHeader } from "../journal/JournalRecord.ts"
import { type OutcomeCounts, outcomes } from "../journal/LineStates.ts"

/** Adds what the counts have changed by since the last use to the counter `signalbox.bulk.lines`. */
const makeCount = (kind: RunHeader["kind"], counts: () => OutcomeCounts) => {
  let counted = counts()
  const counters = outcomes.map((outcome) =>
    Metric.counter("signalbox.bulk.lines", {
      description: "Lines of bulk runs with an outcome, and events that were exported",
      attributes: { kind, outcome }
    })
  )
  return Effect.contextWith((context: Context.Context<never>) =>
    Effect.sync(() => {
      const now = counts()
      for (const [at, outcome] of outcomes.entries()) {
        const change = now[outcome] - counted[outcome]
        if (change !== 0) counters[at]?.updateUnsafe(change, context)
      }
      counted = now
    })
  )
}

/**
 * Does the work on a run in the span `signalbox.bulk.<kind>`, whose attributes are the run's id and its lines by outcome.
 * A retry of failed lines lowers the count of their earlier outcome.
 */
export const observed = <A, E, R>(
  { id, kind }: RunHeader,
  counts: () => OutcomeCounts,
  work: Effect.Effect<A, E, R>
): Effect.Effect<A, E, R> =>
  Effect.suspend(() => {
    const count = makeCount(kind, counts)
    return Effect.useSpan(`signalbox.bulk.${kind}`, { attributes: { "signalbox.bulk.run": id } }, (span) => {
      const finish = Effect.sync(() => {
        for (const [outcome, lines] of Object.entries(counts())) span.attribute(`signalbox.bulk.${outcome}`, lines)
      })
      const counting = Effect.forkScoped(Effect.repeat(count, Schedule.spaced("1 second")))
      return Effect.andThen(counting, work).pipe(
        Effect.scoped,
        Effect.withParentSpan(span),
        Effect.ensuring(Effect.andThen(count, finish))
      )
    })
  })

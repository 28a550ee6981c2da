/**
 * The environment of a run: the one that its first response names. The API key decides which one a client leads to, so
 * another key must not continue the run elsewhere.
 */
import { Events } from "@signalbox/core/Events"
import { Warnings } from "@signalbox/core/Warnings"
import * as Effect from "effect/Effect"
import type { RunHeader } from "../journal/JournalRecord.ts"
import { RunStateError } from "../RunError.ts"

/** Tag of the reason of a line that was applied in another environment. */
export const otherEnvironment = "OtherEnvironment"

/** One line: a run is for one environment, and the key leads to another one. */
export const otherEnvironmentMessage = (own: string, found: string): string =>
  `the API key leads to environment ${found}, and the run is for ${own}`

/** The environment that the client leads to, by its newest event; `undefined` where it has none or does not respond. */
export const environmentOfClient = Effect.flatMap(Events, (events) =>
  events.list({ limit: 1 }).pipe(
    // Drift in a page that is not used does not matter.
    Effect.provideService(Warnings, () => Effect.void),
    Effect.match({ onFailure: () => undefined, onSuccess: ({ data }) => data[0]?._environmentId })
  )
)

/** Refuses to continue a run in another environment, and returns whether that is certain. */
export const verifyEnvironment = Effect.fnUntraced(function* (
  { connection, id }: RunHeader,
  environment: string | undefined
): Effect.fn.Return<boolean, RunStateError, Events> {
  if (environment === undefined) return false
  const found = yield* environmentOfClient
  if (found === undefined || found === environment) return found !== undefined
  const started = connection === undefined ? "" : `, started over connection "${connection}"`
  const message = `${otherEnvironmentMessage(environment, found)}${started}. Nothing was sent; use a key of ${environment}`
  return yield* new RunStateError({ id, message })
})

/**
 * The environment of a run: the one that its first response names. The API key decides which one a client leads to, so
 * another key must not continue the run elsewhere.
 */
import { Events } from "@signalbox/core/Events"
import { Warnings } from "@signalbox/core/Policies"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { createHmac } from "node:crypto"
import { otherEnvironment, type OutcomeRecord } from "../journal/JournalRecord.ts"
import type { Recovered } from "../journal/Recovery.ts"
import { RunStateError } from "../RunError.ts"

/** The outcome of a line whose success came from another environment than that of its run. */
export const appliedElsewhere = (succeeded: OutcomeRecord, own: string, found: string): OutcomeRecord => ({
  ...succeeded,
  outcome: "unknown",
  reason: otherEnvironment,
  message: `${otherEnvironmentMessage(own, found)}; applied there`
})

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

/** A digest of an API key for one run: it shows neither the key nor whether runs have the same one. */
export const keyDigest = (id: string, apiKey: Redacted.Redacted<string> | undefined): string | undefined =>
  apiKey && createHmac("sha256", Redacted.value(apiKey)).update(id).digest("base64url").slice(0, 22)

/** Why lines that another key may have sent are not sent: no response has named their environment. */
export const otherKeyMessage = (id: string): string =>
  `run ${id} may have sent lines with another API key, and no response has named its environment. Nothing was sent; use that key, or cancel the run`

/** Refuses to continue a run in another environment, and returns whether that is certain. */
export const verifyEnvironment = Effect.fnUntraced(function* (
  recovered: Recovered,
  apiKey: Redacted.Redacted<string> | undefined
): Effect.fn.Return<boolean, RunStateError, Events> {
  const { connection, environment, foreignKey, key, states } = recovered
  const { id } = recovered.header
  const own = keyDigest(id, apiKey)
  if (environment === undefined) {
    const isOther = own !== undefined && key !== undefined && own !== key
    if (isOther && states.mayHaveBeenApplied) return yield* new RunStateError({ id, message: otherKeyMessage(id) })
    return false
  }
  const isForeign = own !== undefined && own === foreignKey
  const found = isForeign ? undefined : yield* environmentOfClient
  if (!isForeign && (found === undefined || found === environment)) return found !== undefined
  const over = connection === undefined ? "" : `, sent over connection "${connection}"`
  const leads =
    found === undefined
      ? `the API key leads to another environment than ${environment}`
      : otherEnvironmentMessage(environment, found)
  const message = `${leads}${over}. Nothing was sent; use a key of ${environment}`
  return yield* new RunStateError({ id, message })
})

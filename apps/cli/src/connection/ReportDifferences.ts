/**
 * Reports each difference between responses and the API document to the user once.
 */
import { safe } from "@signalbox/operator/text/Safe"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { Process } from "../process/Process.ts"
import type { Connection } from "./Connection.ts"
import { type Difference, type Differences, keyOf, listOf, newsIn, summaryOf } from "./Difference.ts"
import { readProfile, updateProfile } from "./Profile.ts"

/** The differences of a connection that were reported before. */
export const knownDifferences = (connection: Connection): Effect.Effect<ReadonlyArray<Difference>, never, Process> =>
  Effect.map(readProfile(connection), Option.match({ onNone: () => [], onSome: ({ differences }) => differences }))

/** Adds differences to those of a connection that need not be reported again. */
export const rememberDifferences = (connection: Connection, differences: ReadonlyArray<Difference>) =>
  updateProfile(connection, (profile) => ({
    ...profile,
    differences: [...new Map([...profile.differences, ...differences].map((each) => [keyOf(each), each])).values()]
  }))

/** Prints one line about what is new, and remembers it. */
export const reportDifferences = Effect.fnUntraced(function* (connection: Connection, differences: Differences) {
  const { report } = yield* Process
  const news = newsIn(listOf(differences), yield* knownDifferences(connection))
  if (news.length === 0) return
  const doctor = `signalbox doctor${connection.kind === "live" && !connection.isConfigured ? "" : ` --connection ${connection.name}`}`
  yield* report(`signalbox: new: ${summaryOf(news)}; list them with ${safe(doctor)}\n`)
  // Where it cannot be remembered, the next command reports it again.
  yield* Effect.ignore(rememberDifferences(connection, news))
})

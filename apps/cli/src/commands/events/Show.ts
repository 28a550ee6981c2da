import { largestPage } from "@signalbox/core/Operations"
import type { ActivityNotification } from "@signalbox/core/Records"
import { Events } from "@signalbox/core/Events"
import * as EventWalk from "@signalbox/core/EventWalk"
import { clear } from "@signalbox/operator/filter/Filter"
import { restoring } from "@signalbox/operator/reading/Restored"
import { shellWord } from "@signalbox/operator/report/Curl"
import { counted } from "@signalbox/operator/text/Counted"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { chooseConnection, onConnection } from "../../connection/Connection.ts"
import { loadOwnRules } from "../../connection/OwnRules.ts"
import { Unsuccessful } from "../../failure/CommandError.ts"
import { exitCodes } from "../../failure/ExitCode.ts"
import { openOutput } from "../../output/Output.ts"
import { zoneFor } from "../../output/OutputFlags.ts"
import { eventDetail } from "./EventDetail.ts"
import { eventListing } from "./EventListing.ts"
import type { ShowInput } from "./Events.ts"

/** Searches the listing for an `_id`, newest first. */
const search = Effect.fnUntraced(function* (id: string, pages: number) {
  const walk = yield* EventWalk.make(restoring(yield* Events), { limit: largestPage })
  let searched = 0
  for (let page = 0; page < pages; page += 1) {
    const next = yield* walk.next
    if (next === undefined) return { found: [], searched, isComplete: true }
    const found = next.data.find(({ _id }) => _id === id)
    if (found !== undefined) return { found: [found], searched, isComplete: true }
    searched += next.data.length
  }
  return { found: [], searched, isComplete: false }
}, Effect.scoped)

/** Finds the events of a transaction, or one event by its `_id` within the newest pages. */
export const findEvents = Effect.fnUntraced(function* (id: string, pages: number) {
  const { data } = yield* Events.use((events) => restoring(events).list({ transactionId: id, limit: largestPage }))
  // A service that ignores the filter must not have its newest events shown for this one.
  const found: ReadonlyArray<ActivityNotification> = data.filter(({ transactionId }) => transactionId === id)
  return found.length > 0 || pages === 0 ? { found, searched: 0, isComplete: true } : yield* search(id, pages)
})

/** Shows the events of a transaction, or one event. */
export const show = Effect.fnUntraced(function* (input: ShowInput) {
  yield* loadOwnRules
  const connection = yield* chooseConnection(input)
  const now = yield* Clock.currentTimeMillis
  const listing = {
    ...eventListing(zoneFor(input, now), now, clear),
    detail: eventDetail(connection)
  }
  const output = yield* openOutput(listing, input)
  const { found, isComplete, searched } = yield* findEvents(input.id, input.searchPages).pipe(onConnection(connection))
  if (found.length === 0) {
    return yield* new Unsuccessful({
      exitCode: exitCodes.notFound,
      message: `no event has the transaction id "${input.id}"${
        searched === 0 ? "" : `, and none of the newest ${counted(searched, "event")} has it as _id`
      }${isComplete ? "" : "; search further back with --search-pages"}; to list the events of a subscriber: signalbox events list subscriber:${shellWord(input.id)}`
    })
  }
  yield* output.rows(found)
})

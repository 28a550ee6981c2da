import { eventKey } from "@signalbox/operator/reading/EventKey"
import { largestPage } from "@signalbox/core/Operations"
import type { ActivityNotification } from "@signalbox/core/Records"
import { Events } from "@signalbox/core/Events"
import { type Filter, toQuery } from "@signalbox/operator/filter/Filter"
import { restoring } from "@signalbox/operator/reading/Restored"
import { eventResult } from "@signalbox/operator/status/Status"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { Connection } from "../../connection/Connection.ts"
import type { Output } from "../../output/Output.ts"
import { followEvents } from "./FollowEvents.ts"

/** Events whose last result is remembered. */
const remembered = 20_000

/** Remembers what was printed; says whether an event is new or its result has changed. */
const makeIsNews = () => {
  const words = new Map<string, string>()
  return (event: ActivityNotification): boolean => {
    const { word } = eventResult(event)
    const key = eventKey(event)
    if (words.get(key) === word) return false
    words.delete(key)
    words.set(key, word)
    const [oldest] = words.keys()
    if (words.size > remembered && oldest !== undefined) words.delete(oldest)
    return true
  }
}

/** Prints events as they arrive, oldest first, and again where a result changes; until it is interrupted. */
export const follow = Effect.fnUntraced(function* (
  filter: Filter,
  limit: number,
  output: Output<ActivityNotification>,
  connection: Connection
) {
  const { list } = restoring(yield* Events)
  const isNews = makeIsNews()
  const { data } = yield* list({ ...toQuery(filter, yield* Clock.currentTimeMillis), limit: largestPage, page: 0 })
  yield* followEvents({
    filter,
    output,
    connection,
    first: Effect.succeed(data),
    onFirst: (events) =>
      Effect.andThen(
        output.rows(events.filter(isNews).slice(0, limit).toReversed()),
        output.note("Following; ctrl-c stops")
      ),
    onRead: (events) => output.rows(events.filter(isNews).toReversed())
  })
})

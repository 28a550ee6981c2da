import { largestPage } from "@signalbox/core/Operations"
import type { ActivityNotification } from "@signalbox/core/Records"
import { Events } from "@signalbox/core/Events"
import { type Filter, matches, toQuery } from "@signalbox/operator/filter/Filter"
import { restoring } from "@signalbox/operator/reading/Restored"
import { eventResult } from "@signalbox/operator/status/Status"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { Output } from "../../output/Output.ts"

const pollMs = 5000

/** Pages read at each poll at most; more events than that between two polls are not followed. */
const pagesOfPoll = 20

/** Events whose last result is remembered; only the newest are looked at again. */
const remembered = 5000

const keyOf = ({ _id, transactionId }: ActivityNotification): string => _id ?? transactionId

/** Remembers what was printed; says whether an event is new or its result has changed. */
const makeNews = () => {
  const words = new Map<string, string>()
  return {
    has: (event: ActivityNotification) => words.has(keyOf(event)),
    isNews: (event: ActivityNotification): boolean => {
      const { word } = eventResult(event)
      const key = keyOf(event)
      if (words.get(key) === word) return false
      words.delete(key)
      words.set(key, word)
      const [oldest] = words.keys()
      if (words.size > remembered && oldest !== undefined) words.delete(oldest)
      return true
    }
  }
}

/** The newest events down to the first that is known; one page at the first poll. */
const readNewest = Effect.fnUntraced(function* (
  filter: Filter,
  isKnown: (event: ActivityNotification) => boolean,
  pages: number
) {
  const events = restoring(yield* Events)
  const query = toQuery(filter, yield* Clock.currentTimeMillis)
  const found: Array<ActivityNotification> = []
  for (let page = 0; page < pages; page += 1) {
    const { data, hasMore } = yield* events.list({ ...query, limit: largestPage, page })
    found.push(...data)
    if (!hasMore || data.some(isKnown)) break
  }
  return found
})

/** Prints events as they arrive, oldest first, and again where a result changes; until it is interrupted. */
export const follow = Effect.fnUntraced(function* (
  filter: Filter,
  limit: number,
  output: Output<ActivityNotification>
) {
  const news = makeNews()
  const first = yield* readNewest(filter, () => false, 1)
  for (const event of first) news.isNews(event)
  yield* output.rows(
    first
      .filter((event) => matches(filter, event))
      .slice(0, limit)
      .toReversed()
  )
  yield* output.note("Following; ctrl-c stops")
  for (;;) {
    yield* Effect.sleep(pollMs)
    const newest = yield* readNewest(filter, news.has, pagesOfPoll)
    yield* output.rows(newest.filter((event) => news.isNews(event) && matches(filter, event)).toReversed())
  }
})

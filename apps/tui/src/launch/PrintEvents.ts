import { withInfo } from "@signalbox/core/CallInfo"
import { Events } from "@signalbox/core/Events"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import { type Filter, localOnly } from "@signalbox/operator/filter/Filter"
import { problemFrom } from "../runtime/Problems.ts"
import type { Session } from "../runtime/Session.ts"
import { filtersOf, make, visible } from "../screens/events/EventsScreen.ts"
import { counted } from "@signalbox/operator/text/Counted"
import { plainTable } from "./PlainTable.ts"

/** What was read, for the notes below the table. */
interface Read {
  readonly events: number
  readonly matching: number
  readonly hasMore: boolean
  readonly unreadable: number
}

/** What the table alone does not say: whether there is more, of how many events it is made, and what is missing. */
const notes = ({ events, hasMore, matching, unreadable }: Read, filter: Filter): ReadonlyArray<string> => [
  ...(localOnly(filter)
    ? [`(${matching} of the ${events} newest events match${hasMore ? "; there are older ones" : ""})`]
    : hasMore
      ? ["(the newest events; there are more)"]
      : events === 0
        ? ["(no event)"]
        : []),
  ...(unreadable === 0 ? [] : [`(${counted(unreadable, "part")} of the response could not be read and are left out)`])
]

/** Prints the newest events that pass the filter, one line an event, and gives the exit code. */
export const printEvents = async (
  session: Session,
  filter: Filter,
  now: number,
  say: (text: string) => void
): Promise<number> => {
  const screen = make(0, filter)
  const exit = await session.runtime.runPromiseExit(
    withInfo(Effect.flatMap(Events, (events) => events.list(filtersOf(screen, 0, now))))
  )
  await session.runtime.dispose()
  if (Exit.isFailure(exit)) {
    const { advice, summary } = problemFrom(exit.cause, now)
    say(`signalbox-tui: ${summary.replace(/\.*$/u, ".")} ${advice}`)
    return 1
  }
  const { call, value } = exit.value
  const rows = visible({ ...screen, events: value.data })
  process.stdout.write(plainTable(rows))
  const read: Read = {
    events: value.data.length,
    matching: rows.length,
    hasMore: value.hasMore,
    unreadable: call.unreadable.length
  }
  for (const note of notes(read, filter)) say(note)
  return 0
}

import { type CauseNews, newsOf } from "@signalbox/operator/connections/KnownCauses"
import type { FailureGroup } from "@signalbox/operator/diagnosis/FailureGroup"
import { remembered } from "../../state/Remembered.ts"
import { listOf } from "../../state/ScreenStack.ts"
import type { State } from "../../state/State.ts"
import { type EventsScreen, groupsOf, isStarting } from "../events/EventsScreen.ts"
import { summaryOf, workflowName } from "../events/LoadedEvents.ts"
import type { CauseOrder, CausesScreen } from "./CausesScreen.ts"

/** A cause with its number. */
export interface NumberedCause {
  readonly group: FailureGroup
  /** Counted from 1; it stays with the cause while the list is open. */
  readonly number: number
}

const compare: Readonly<Record<CauseOrder, (a: NumberedCause, b: NumberedCause) => number>> = {
  count: (a, b) => b.group.events.length - a.group.events.length,
  last: (a, b) => (b.group.lastSeen ?? 0) - (a.group.lastSeen ?? 0),
  first: (a, b) => (b.group.firstSeen ?? 0) - (a.group.firstSeen ?? 0),
  subscribers: (a, b) => b.group.subscribers.length - a.group.subscribers.length,
  number: (a, b) => a.number - b.number
}

/** The causes in the order of the screen. */
export const causesOf = (state: Pick<State, "screens">, { order }: CausesScreen): ReadonlyArray<NumberedCause> => {
  const list = listOf(state)
  return list === undefined
    ? []
    : groupsOf(list)
        .map((group, index) => ({ group, number: index + 1 }))
        .sort((a, b) => compare[order](a, b) || a.number - b.number)
}

/** How the causes of the list differ from the last look; absent where nothing is kept. */
export const newsHere = ({ connection }: State, list: EventsScreen): CauseNews | undefined =>
  connection.known === undefined || isStarting(list)
    ? undefined
    : newsOf(connection.known, groupsOf(list), summaryOf(list.events).range)

/** How many workflows a cause makes fail. */
export const workflowsOf: (group: FailureGroup) => number = remembered(
  ({ events }) => new Set(events.map(workflowName)).size
)

import { queryOfFilters } from "@signalbox/core/Events"
import type { ActivityNotification } from "@signalbox/core/Records"
import { format } from "@signalbox/operator/filter/Filter"
import { curl, shellWord } from "@signalbox/operator/report/Curl"
import { eventReport } from "@signalbox/operator/report/EventReport"
import { problemReport } from "@signalbox/operator/report/ProblemReport"
import { filtersFor } from "../screens/event/EventScreen.ts"
import { filtersOf, visible } from "../screens/events/EventsScreen.ts"
import { type MessagesScreen, selected } from "../screens/messages/MessagesScreen.ts"
import { noMessage } from "../screens/messages/MessagesActions.ts"
import { jsonText } from "../screens/text/TextScreen.ts"
import { listOf, problemOn, topScreen } from "../state/ScreenStack.ts"
import { type State, stay, type Transition, withCommands, withNotice } from "../state/State.ts"
import { type Action, type Place, placed } from "./Action.ts"
import { eventHere, noEvent, noSubscriber } from "../screens/event/EventActions.ts"
import { chosenEvents } from "../screens/events/EventsActions.ts"
import { make as makeField } from "../keyboard/TextField.ts"
import { actingOn, onScreen } from "./OnScreen.ts"

const copy = (state: State, text: string, what: string): Transition => withCommands(state, { _tag: "Copy", text, what })

const reports = (state: State): string =>
  chosenEvents(state)
    .map((event) => eventReport(event, state.connection.name))
    .join("\n")

const viewCommand = (state: State): string => {
  const { connection } = state
  const list = listOf(state)
  const filter = list === undefined ? "" : format(list.filter)
  const where = {
    demo: " --connection demo",
    live: ` --connection ${shellWord(connection.name)}`,
    replay: ` --replay ${shellWord(connection.file ?? "")}`
  }
  return `signalbox ui${where[connection.kind]}${filter === "" ? "" : ` --filter ${shellWord(filter)}`}`
}

/** The request that reads what the top screen shows. */
const readCurl = (state: State): string => {
  const screen = topScreen(state)
  const { baseUrl } = state.connection
  if (screen._tag === "Event")
    return curl({ operation: "events.list", baseUrl, query: queryOfFilters(filtersFor(screen.event)) })
  const list = listOf(state)
  const query = list === undefined ? {} : { query: queryOfFilters(filtersOf(list, 0, state.now)) }
  return curl({ operation: "events.list", baseUrl, ...query })
}

const onMessages = onScreen("Messages")

const idsOf = (state: State, screen: MessagesScreen): ReadonlyArray<string> =>
  selected(screen, state.facts).map(({ id }) => id)

const markCurl = (state: State, screen: MessagesScreen): string => {
  const { baseUrl, vendor } = state.connection
  return curl({
    operation: "messages.markAs",
    baseUrl,
    ...(vendor === undefined ? {} : { vendor }),
    params: { subscriberId: screen.subscriberId },
    payload: { messageId: idsOf(state, screen), markAs: "read" }
  })
}

/** The external ids of the subscribers that the top screen is about, each once. */
const subscribersHere = (state: State): ReadonlyArray<string> => {
  const screen = topScreen(state)
  if ("subscriberId" in screen) return [screen.subscriberId]
  return Array.from(new Set(chosenEvents(state).flatMap(({ subscriber }) => subscriber?.subscriberId ?? [])))
}

/** The events that an export saves: the selected ones, else the whole view. */
export const exported = (state: State): ReadonlyArray<ActivityNotification> => {
  const screen = topScreen(state)
  return screen._tag === "Events" && screen.selection.size === 0 ? visible(screen) : chosenEvents(state)
}

/** Saves the events of an export in a file. */
export const exportTo = (state: State, name: string): Transition =>
  withCommands(state, { _tag: "ExportEvents", name, events: exported(state) })

const exportName = "signalbox-events.ndjson"

const eventPlaces: Action["places"] = ["Events", "Event"]

/** Copies one id of each chosen event, each once; events that do not carry it are passed over. */
const copies = (key: string, what: string, idOf: (event: ActivityNotification) => string | undefined): Action => ({
  id: `copy ${what}`,
  keys: [key],
  description: `Copy the ${what} of the event, or of the selected ones.`,
  places: eventPlaces,
  unavailable: noEvent,
  run: (state) => {
    const ids = new Set(chosenEvents(state).flatMap((event) => idOf(event) ?? []))
    return ids.size === 0
      ? stay(withNotice(state, `the event has no ${what}`, "warning"))
      : copy(state, Array.from(ids).join("\n"), what)
  }
})

const copiesProblem = (id: string, key: string, places: ReadonlyArray<Place>): Action => ({
  id,
  keys: [key],
  description: "Copy the error with its request id, for the support team of the service.",
  places,
  ...actingOn(
    (state) => problemOn(topScreen(state)) ?? "nothing went wrong here",
    (state, problem) => copy(state, problemReport(problem, state.connection.name), "problem")
  )
})

/** The page of the event in the dashboard; absent where the event lacks the id that the address needs. */
const dashboardUrlOf = (state: State): string | undefined => {
  const event = eventHere(state)
  const { dashboardUrl = "" } = state.connection
  if (event === undefined || (event._id === undefined && dashboardUrl.includes("{id}"))) return undefined
  return dashboardUrl
    .replaceAll("{id}", encodeURIComponent(event._id ?? ""))
    .replaceAll("{transactionId}", encodeURIComponent(event.transactionId))
}

/** Taking things out: to the clipboard, into a file, into the pager. */
export const copyActions = placed(eventPlaces, [
  {
    id: "copy a report",
    keys: ["y y"],
    name: "copy report",
    description: "Copy the event, or the selected ones, as a short Markdown report for the on-call team.",
    hint: 65,
    unavailable: noEvent,
    run: (state) => copy(state, reports(state), "report")
  },
  copies("y t", "transaction id", ({ transactionId }) => transactionId),
  copies("y e", "event id", ({ _id }) => _id),
  {
    id: "copy subscriber id",
    keys: ["y s"],
    description: "Copy the external id of the subscriber, or of all subscribers of the selected events.",
    places: ["Events", "Event", "Subscriber", "Messages"],
    unavailable: (state) => (subscribersHere(state).length === 0 ? noSubscriber(state) : undefined),
    run: (state) => copy(state, subscribersHere(state).join("\n"), "subscriber id")
  },
  {
    id: "copy message ids",
    keys: ["y m"],
    name: "copy ids",
    description: "Copy the ids of the selected messages, or of the one under the cursor.",
    places: ["Messages"],
    hint: 64,
    unavailable: noMessage,
    run: onMessages((state, screen) => copy(state, idsOf(state, screen).join("\n"), "message id"))
  },
  {
    id: "copy the mark as cURL",
    keys: ["y c"],
    description: "Copy the request that marks these messages as read as a cURL command; the API key stays a variable.",
    places: ["Messages"],
    unavailable: noMessage,
    run: onMessages((state, screen) => copy(state, markCurl(state, screen), "cURL command"))
  },
  {
    id: "copy request as cURL",
    keys: ["y c"],
    description:
      "Copy the request behind the list, or behind the event, as a cURL command; the API key stays a variable.",
    run: (state) => copy(state, readCurl(state), "cURL command")
  },
  copiesProblem("copy the problem", "y p", ["Events", "Event", "Messages"]),
  copiesProblem("copy form's problem", "ctrl-p", ["Credentials"]),
  {
    id: "copy the view",
    keys: ["Y"],
    description: "Copy the command that opens this view: connection and filter.",
    run: (state) => copy(state, viewCommand(state), "command")
  },
  {
    id: "export",
    keys: ["e"],
    description:
      "Save the selected events, or the whole view, as NDJSON without secrets. Asks for a file name; esc stops it.",
    hint: 70,
    word: "export",
    argument: "FILE",
    unavailable: noEvent,
    run: (state, { argument }) =>
      argument === ""
        ? stay({ ...state, overlay: { _tag: "Prompt", purpose: "export", field: makeField(exportName) } })
        : exportTo(state, argument)
  },
  {
    id: "open in dashboard",
    keys: ["o"],
    description: "Open the event in the dashboard of the service, by the dashboardUrl of the connection.",
    unavailable: (state) =>
      noEvent(state) ??
      (state.connection.dashboardUrl === undefined
        ? 'the connection has no dashboard: set dashboardUrl = "https://…/{id}" in config.toml'
        : undefined),
    run: (state) => {
      const url = dashboardUrlOf(state)
      return url === undefined
        ? stay(withNotice(state, "the service gave the event no id", "warning"))
        : withCommands(state, { _tag: "OpenUrl", url })
    }
  },
  {
    id: "event in the pager",
    keys: ["O"],
    description: "Open the whole event as JSON in $PAGER.",
    unavailable: noEvent,
    run: (state) => withCommands(state, { _tag: "OpenPager", text: jsonText(eventHere(state)) })
  }
])

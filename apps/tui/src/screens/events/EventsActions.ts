import * as Result from "effect/Result"
import { withCursorAt } from "../Cursor.ts"
import { titledPreview } from "./EventPreview.ts"
import { eventsLayout } from "../Layout.ts"
import type { ScreenKind } from "../ScreenKind.ts"
import { eventsFreshness, eventsView } from "./EventsView.ts"
import { startMasking } from "./MaskedEvents.ts"
import { counted } from "@signalbox/operator/text/Counted"
import { reasonsText } from "@signalbox/operator/reading/UnreadableReasons"
import { incidentReport } from "@signalbox/operator/report/IncidentReport"
import {
  clear,
  type Filter,
  format,
  localOnly,
  only,
  parse,
  toggled,
  withoutLast
} from "@signalbox/operator/filter/Filter"
import { make as makeField } from "../../keyboard/TextField.ts"
import { toggleAllSelected, toggleSelected, toggleRange } from "../Selection.ts"
import { columnNames, newestFirst, readColumns, readSort, sortWords } from "./EventColumns.ts"
import { eventKey } from "@signalbox/operator/reading/EventKey"
import {
  arrived,
  current,
  type EventsScreen,
  filterOfCause,
  groupsOf,
  isStarting,
  jobShown,
  make as makeEvents,
  visible,
  withNumbers
} from "./EventsScreen.ts"
import {
  applyFilter,
  loadWindow,
  open,
  readTail,
  sampleWindow,
  searchFurther,
  selected,
  showFresh,
  sortBy,
  toggleWatch,
  tryAgain
} from "./EventsUpdate.ts"
import { make as makeEvent } from "../event/EventScreen.ts"
import { listOf, putScreen, pushScreen, topScreen } from "../../state/ScreenStack.ts"
import { type State, stay, type Transition, withCommands, withNotice } from "../../state/State.ts"
import { neighbourBar } from "./IncidentView.ts"
import { countOf, reasonsOf } from "./UnreadableParts.ts"
import { make as makeText } from "../text/TextScreen.ts"
import { canonicalTime, timeAt, timeForms } from "@signalbox/operator/filter/FilterTime"
import { keyFor, optionsOf, placed } from "../../actions/Action.ts"
import { changesIn } from "../event/CredentialChange.ts"
import { noEvent } from "../event/EventActions.ts"
import { onScreen, unlessScreen } from "../../actions/OnScreen.ts"

const on = onScreen("Events")
const unless = unlessScreen("Events")

const filterTo = (state: State, screen: EventsScreen, typed: string): Transition => {
  const parsed = parse(typed)
  return parsed._tag === "Refused"
    ? stay(withNotice(state, parsed.message, "failed"))
    : applyFilter(state, screen, parsed.filter)
}

const hasCauses = ({ filter }: EventsScreen): boolean => filter.clauses.some(({ key }) => key === "cause")

const withoutCauses = ({ filter }: EventsScreen): Filter => ({
  clauses: filter.clauses.filter(({ key }) => key !== "cause")
})

const causeOf = (screen: EventsScreen, index: number): string | undefined => {
  const group = groupsOf(screen)[index]
  return group === undefined ? undefined : filterOfCause(screen, group)
}

const toBar = (state: State, screen: EventsScreen, step: 1 | -1): Transition => {
  const at = neighbourBar(screen, state.size.columns, step)
  return stay(
    at === undefined
      ? withNotice(state, step === 1 ? "no older bar has a listed event" : "no newer bar has a listed event", "warning")
      : putScreen(state, withCursorAt(screen, at))
  )
}

const windows = optionsOf(["1h", "6h", "24h", "3d", "7d"])

const cannotLoad = unless((screen) => {
  if (screen.loading !== undefined || screen.masking !== undefined) return "events are being read; wait, or press esc"
  return screen.filter.clauses.some(({ key }) => key === "after" || key === "before")
    ? "the filter has a time already; backspace drops it"
    : undefined
})

/** Runs with the canonical form of a time, 24 hours where none was typed. */
const withWindow = (state: State, typed: string, run: (name: string) => Transition): Transition => {
  const name = canonicalTime(typed === "" ? "24h" : typed)
  return name === undefined || timeAt(name, state.now) >= state.now
    ? stay(withNotice(state, `"${typed}" is not a time before now; write ${timeForms}`, "failed"))
    : run(name)
}

/** The actions on the list of events. */
const actions = placed("Events", [
  {
    id: "open event",
    keys: ["enter", "l", "right"],
    name: "open",
    description: "Open the event: its jobs, execution details, cause and next step.",
    hint: 10,
    unavailable: noEvent,
    run: on((state, screen) => {
      const event = current(screen)
      return event === undefined
        ? stay(state)
        : stay(
            pushScreen(state, (id) => makeEvent(id, event, screen.asOf ?? state.now, { job: jobShown(screen, event) }))
          )
    })
  },
  {
    id: "filter",
    keys: ["/"],
    description: "Filter the events, for example: after:24h channel:email status:failed -subscriber:u_1.",
    hint: 20,
    word: "filter",
    argument: "EXPRESSION",
    run: on((state, screen, { argument }) =>
      argument === ""
        ? stay({
            ...state,
            overlay: {
              _tag: "Prompt",
              purpose: "filter",
              field: makeField(format(screen.filter) === "" ? "" : `${format(screen.filter)} `)
            }
          })
        : filterTo(state, screen, argument)
    )
  },
  {
    id: "only failures",
    keys: ["F"],
    name: "failures",
    description:
      "Show only events that failed, or all again. The API has no such filter: it is computed among the loaded events.",
    hint: 25,
    run: on((state, screen) => applyFilter(state, screen, toggled(screen.filter, "status", "failed")))
  },
  {
    id: "drop last filter",
    keys: ["backspace"],
    description: "Remove the last part of the filter.",
    unavailable: unless((screen) => (format(screen.filter) === "" ? "there is no filter" : undefined)),
    run: on((state, screen) => applyFilter(state, screen, withoutLast(screen.filter)))
  },
  {
    id: "clear filter",
    keys: ["X"],
    description: "Show all events.",
    unavailable: unless((screen) => (format(screen.filter) === "" ? "there is no filter" : undefined)),
    run: on((state, screen) => applyFilter(state, withNumbers(screen, true), clear))
  },
  {
    id: "one cause",
    keys: ["1", "2", "3", "4", "5", "6", "7", "8", "9"],
    keysLabel: "1-9",
    name: "cause",
    description:
      "Show only the failures with the cause of this number, or all again; the list above the events has the numbers.",
    hint: 12,
    word: "cause",
    argument: "NUMBER",
    choices: (state) => {
      const screen = topScreen(state)
      return screen._tag === "Events"
        ? groupsOf(screen).map(({ events, title }, at) => ({
            value: String(at + 1),
            description: `${events.length} × ${title}`
          }))
        : []
    },
    unavailable: unless((screen) => {
      if (isStarting(screen)) return "the causes are being counted; wait, or press esc"
      return groupsOf(screen).length === 0 ? "no loaded event has failed" : undefined
    }),
    run: on((state, screen, { argument, key }) => {
      const number = Number(argument === "" ? key : argument)
      const cause = causeOf(screen, number - 1)
      return cause === undefined
        ? stay(
            withNotice(
              state,
              `the loaded events have ${counted(groupsOf(screen).length, "cause")}, no cause ${argument || key}`,
              "warning"
            )
          )
        : applyFilter(state, screen, toggled(screen.filter, "cause", cause))
    })
  },
  {
    id: "saved view",
    keys: Array.from({ length: 9 }, (_, index) => `g ${index + 1}`),
    keysLabel: "g1-g9",
    description: "Filter by a saved view of the configuration file, by its number or its name.",
    word: "view",
    argument: "NAME",
    choices: ({ connection }) =>
      (connection.views ?? []).map(({ filter, name }, index) => ({
        value: name,
        description: filter,
        keys: index < 9 ? `g${index + 1}` : `:view`
      })),
    unavailable: ({ connection }) =>
      (connection.views ?? []).length === 0
        ? 'no view is saved: write NAME = "FILTER" below [views] in config.toml'
        : undefined,
    run: on((state, screen, { argument, key }) => {
      const views = state.connection.views ?? []
      const view = argument === "" ? views[Number(key.slice(2)) - 1] : views.find(({ name }) => name === argument)
      const names = views.map(({ name }, index) => `${index + 1} ${name}`).join(", ")
      return view === undefined
        ? stay(withNotice(state, `saved views: ${names}`, "warning"))
        : filterTo(withNotice(state, `view ${view.name}`), screen, view.filter)
    })
  },
  {
    id: "all causes",
    keys: ["0"],
    description: "Show failures of every cause again.",
    unavailable: unless((screen) => (hasCauses(screen) ? undefined : "no cause is chosen")),
    run: on((state, screen) => applyFilter(state, screen, withoutCauses(screen)))
  },
  {
    id: "older bar",
    keys: ["]"],
    description: "To the next older bar of the failures over time.",
    unavailable: noEvent,
    run: on((state, screen) => toBar(state, screen, 1))
  },
  {
    id: "newer bar",
    keys: ["["],
    description: "To the next newer bar of the failures over time.",
    unavailable: noEvent,
    run: on((state, screen) => toBar(state, screen, -1))
  },
  {
    id: "search further back",
    keys: ["B"],
    name: "further back",
    description: "Read older pages until more events match, ten pages at most.",
    hint: 22,
    needsNoHint: (state) => {
      const screen = topScreen(state)
      return screen._tag !== "Events" || !screen.hasMore || !localOnly(screen.filter)
    },
    unavailable: unless((screen) =>
      screen.hasMore ? undefined : "everything that the service keeps for this filter is loaded"
    ),
    run: on(searchFurther)
  },
  {
    id: "watch",
    keys: ["W"],
    description: "Follow new events, and ring the bell when a cause is new or its failures double within 5 minutes.",
    places: ["Events", "Causes"],
    run: (state) => {
      const list = listOf(state)
      return list === undefined ? stay(state) : toggleWatch(state, list)
    }
  },
  {
    id: "load a window",
    keys: ["w"],
    name: "load 24 h",
    description: "Read all events of the last 24 hours, or of another time: parts of it in parallel; esc stops it.",
    hint: 23,
    word: "load",
    argument: "TIME",
    choices: () => windows,
    unavailable: cannotLoad,
    run: on((state, screen, { argument }) => withWindow(state, argument, (name) => loadWindow(state, screen, name)))
  },
  {
    id: "sample a window",
    keys: [],
    description: "Read a page at 48 points of a time: the share of failures at each, and since when each cause lasts.",
    word: "sample",
    argument: "TIME",
    choices: () => windows,
    unavailable: cannotLoad,
    run: on((state, screen, { argument }) => withWindow(state, argument, (name) => sampleWindow(state, screen, name)))
  },
  {
    id: "incident report",
    keys: [],
    description: "Save the incident as Markdown: causes with counts, trends, samples, and what was done so far.",
    places: ["Events", "Causes"],
    word: "report",
    argument: "FILE",
    run: (state, { argument }) => {
      const screen = listOf(state)
      if (screen === undefined) return stay(state)
      return withCommands(state, {
        _tag: "SaveFile",
        name: argument === "" ? "signalbox-incident.md" : argument,
        what: "incident report",
        text: incidentReport({
          events: visible(screen),
          loaded: screen.events,
          unreadable: reasonsOf(screen.unreadable),
          changesOf: changesIn(state.facts),
          ...(screen.sampled === undefined ? {} : { onsets: screen.sampled.onsets }),
          connection: state.connection.name,
          filter: format(screen.filter),
          actions: state.history,
          asOf: screen.asOf ?? state.now
        })
      })
    }
  },
  {
    id: "refresh",
    keys: ["r"],
    description: "Read the newest events now, or retry a failed read; new events wait until you press the dot key.",
    hint: 60,
    retries: true,
    run: on(tryAgain)
  },
  {
    id: "show new events",
    keys: ["."],
    description: "Show the events that have arrived since; the cursor stays on its event.",
    unavailable: unless((screen, state) =>
      screen.fresh.length > 0 || screen.overrun
        ? undefined
        : `no new events have arrived; ${keyFor(state, "refresh")} asks for them`
    ),
    run: on((state, screen) => {
      const hidden = screen.fresh.length - arrived(screen).length
      const key = keyFor(state, hasCauses(screen) ? "all causes" : "clear filter")
      const text = `${counted(hidden, "new event")} hidden by the filter; ${key} shows all`
      return showFresh(hidden === 0 ? state : withNotice(state, text), screen)
    })
  },
  {
    id: "unreadable parts",
    keys: ["U"],
    description: "Show why parts of responses could not be read, each reason once with its first part.",
    unavailable: unless((screen) => (countOf(screen.unreadable) === 0 ? "everything could be read" : undefined)),
    run: on((state, screen) =>
      stay(pushScreen(state, (id) => makeText(id, "unreadable parts", reasonsText(reasonsOf(screen.unreadable)))))
    )
  },
  {
    id: "select",
    keys: ["space"],
    description: "Select the event for copying and exporting, or the range since V.",
    hint: 40,
    unavailable: noEvent,
    run: on((state, screen) => stay(putScreen(state, toggleSelected(screen, visible(screen).map(eventKey)))))
  },
  {
    id: "select range",
    keys: ["V"],
    description: "Start a range here; move, then press space to select all of it.",
    unavailable: noEvent,
    run: on((state, screen) => stay(putScreen(state, toggleRange(screen))))
  },
  {
    id: "select all",
    keys: ["*"],
    description: "Select all events of the list, or none.",
    run: on((state, screen) => stay(putScreen(state, toggleAllSelected(screen, visible(screen).map(eventKey)))))
  },
  {
    id: "sort",
    keys: [],
    description: "Sort the list by a column, or in reverse with a minus; without a word, the newest event first.",
    word: "sort",
    argument: "COLUMN",
    choices: () => optionsOf(sortWords),
    run: on((state, screen, { argument }) =>
      stay(
        Result.match(argument === "" ? Result.succeed(newestFirst) : readSort(argument), {
          onFailure: (problem) => withNotice(state, problem, "failed"),
          onSuccess: (sort) =>
            withNotice(sortBy(state, screen, sort), `sorted by ${sort.column}${sort.reverse ? ", in reverse" : ""}`)
        })
      )
    )
  },
  {
    id: "columns",
    keys: [],
    description: "Choose the columns of the list and their order; without a word, those for which there is room.",
    word: "columns",
    argument: "COLUMN...",
    choices: () => optionsOf(columnNames),
    run: on((state, _, { argument }) => {
      const read = argument === "" ? Result.succeed(undefined) : readColumns(argument.split(/[ ,]+/u))
      if (Result.isFailure(read)) return stay(withNotice(state, read.failure, "failed"))
      const list = { ...state.settings.list, columns: read.success }
      const next = { ...state, settings: { ...state.settings, list } }
      return stay(withNotice(next, `columns: ${read.success?.join(" ") ?? "those for which there is room"}`))
    })
  }
])

/** Opens the list of one subscriber's events. */
export const openEventsOf = (state: State, subscriberId: string): Transition => {
  const opened = pushScreen(state, (id) => makeEvents(id, only("subscriber", subscriberId), state.settings.list.sort))
  const screen = topScreen(opened)
  return screen._tag === "Events" ? open(opened, screen) : stay(opened)
}

/** The events that copying and exporting act on. */
export const chosenEvents = (state: State) => {
  const screen = topScreen(state)
  if (screen._tag === "Events") return selected(screen)
  return screen._tag === "Event" ? [screen.event] : []
}

/** The list of events. */
export const eventsKind: ScreenKind<EventsScreen> = {
  title: () => "Events",
  status: eventsFreshness,
  actions,
  view: eventsView,
  list: {
    length: (_, screen) => visible(screen).length,
    height: (_, area) => eventsLayout(area).rows
  },
  whole: (state, screen, columns) => {
    const event = current(screen)
    return event && titledPreview({ event, screen, state }, columns)
  },
  masked: startMasking,
  refresh: readTail,
  stopped: (screen) => ({ ...screen, loading: undefined, readAhead: undefined })
}

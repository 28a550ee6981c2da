import { causesFoot } from "../Layout.ts"
import type { ScreenKind } from "../ScreenKind.ts"
import { causesView } from "./CausesView.ts"
import { failuresOf } from "@signalbox/operator/diagnosis/FailureGroup"
import { toggled } from "@signalbox/operator/filter/Filter"
import { workList } from "@signalbox/operator/report/WorkList"
import { counted } from "@signalbox/operator/text/Counted"
import { canonicalTime, timeAt } from "@signalbox/operator/filter/FilterTime"
import { type CauseChange, changed, type KnownCauses } from "@signalbox/operator/connections/KnownCauses"
import { optionsOf, placed } from "../../actions/Action.ts"
import { actingOn, onScreen } from "../../actions/OnScreen.ts"
import { listOf, popScreen, pushScreen, putScreen, topScreen } from "../../state/ScreenStack.ts"
import { savedFile } from "../../state/Command.ts"
import { type State, stay, type Transition, withCommands, withNotice } from "../../state/State.ts"
import { withCursorAt } from "../Cursor.ts"
import { reachIn } from "../event/CredentialChange.ts"
import { openFix } from "../event/EventActions.ts"
import { current, failuresIn, filterOfCause, isChosenCause } from "../events/EventsScreen.ts"
import { applyFilter } from "../events/EventsUpdate.ts"
import { causesOf } from "./Causes.ts"
import { causeOrders, type CausesScreen, make } from "./CausesScreen.ts"

/** The cause under the cursor, with the list whose failures have it. */
const causeHere = (state: State) => {
  const screen = topScreen(state)
  const list = listOf(state)
  const group = screen._tag === "Causes" ? causesOf(state, screen)[screen.cursor.at]?.group : undefined
  return list === undefined || group === undefined ? "no loaded event has failed" : { list, group }
}

/** The same, with the subscribers whose credentials are the cause. */
const fixHere = (state: State) => {
  const here = causeHere(state)
  if (typeof here === "string") return here
  const reach = reachIn(here.group, here.list.events, state.facts)
  return reach.open.length === 0 ? "credentials do not fix this cause, or all of them were changed" : { ...here, reach }
}

/** The cause under the cursor, with what is kept about causes. */
const keptHere = (state: State) => {
  const { known } = state.connection
  if (known === undefined) return "nothing is kept about causes of the demo or a replay"
  const here = causeHere(state)
  return typeof here === "string" ? here : { known, cause: here.group.cause }
}

/** Keeps something about a cause, on the screen and in the file. */
const keep = (state: State, known: KnownCauses, change: CauseChange): Transition => {
  const { connection } = state
  const next = { ...state, connection: { ...connection, known: changed(known, change) } }
  return withCommands(next, { _tag: "KeepCauses", connection: connection.name, change })
}

/** How a work list is sent: the demo is in this process, where no other program reaches it. */
const sendingOf = ({ connection, settings }: State, command: string): string => {
  const run = `:run ${savedFile}`
  const here = settings.runsFiles === true ? `${run} here` : undefined
  if (connection.kind === "demo") return here ?? `open signalbox ui, and ${run} on its demo`
  return here === undefined ? `run ${command}` : `${here}, or ${command}`
}

/** The actions on the causes. */
const actions = placed("Causes", [
  {
    id: "list of causes",
    keys: ["C"],
    name: "causes",
    description:
      "All causes of the loaded failures: count, trend, owner, subscribers, first and last. Starts on that of the event.",
    places: ["Events"],
    hint: 13,
    run: (state) => {
      const list = listOf(state)
      const event = list && current(list)
      const cause = event && failuresIn(list, event)[0]?.cause
      return stay(
        pushScreen(state, (id) => {
          const screen = make(id)
          const at = causesOf(state, screen).findIndex(({ group }) => group.cause === cause)
          return withCursorAt(screen, Math.max(0, at))
        })
      )
    }
  },
  {
    id: "events of the cause",
    keys: ["enter", "l", "right"],
    name: "events",
    description: "List the events with this cause.",
    hint: 10,
    ...actingOn(causeHere, (state, { group, list }) => {
      const below = popScreen(state)
      return isChosenCause(list, group.cause)
        ? stay(below)
        : applyFilter(below, list, toggled(list.filter, "cause", filterOfCause(list, group)))
    })
  },
  {
    id: "fix the cause",
    keys: ["c"],
    name: "fix",
    description: "Open the credentials form for the subscribers whose credentials are the cause.",
    hint: 14,
    writes: true,
    ...actingOn(fixHere, (state, { group, reach }) => {
      const event = group.events.find(({ subscriber }) => subscriber?.subscriberId === reach.open[0])
      const failure = event === undefined ? undefined : failuresOf(event).find(({ cause }) => cause === group.cause)
      return event === undefined || failure === undefined ? stay(state) : openFix(state, event, failure.diagnosis)
    })
  },
  {
    id: "file for bulk",
    keys: ["F"],
    name: "file",
    description: "Save the subscribers that need credentials as CSV with empty values, for signalbox bulk import.",
    hint: 16,
    word: "fix-file",
    argument: "FILE",
    ...actingOn(fixHere, (state, { group, reach }, { argument }) => {
      const name = argument === "" ? "signalbox-fixes.csv" : argument
      const { command, text } = workList(group, reach, savedFile, state.connection.name)
      const what = `${counted(reach.open.length, "subscriber")}: fill in the empty values, then ${sendingOf(state, command)};`
      return withCommands(state, { _tag: "SaveFile", name, text, what })
    })
  },
  {
    id: "note on the cause",
    keys: [],
    description: "Keep a note on the cause for the next session; without text, remove it.",
    word: "note",
    argument: "TEXT",
    ...actingOn(keptHere, (state, { cause, known }, { argument }) =>
      keep(state, known, { _tag: "Noted", cause, note: argument === "" ? undefined : argument })
    )
  },
  {
    id: "silence the cause",
    keys: [],
    description: "No alert about the cause for a time, here (W) and in signalbox watch; off ends that.",
    word: "silence",
    argument: "TIME|off",
    choices: () => optionsOf(["1h", "8h", "24h", "7d", "off"]),
    ...actingOn(keptHere, (state, { cause, known }, { argument }) => {
      if (argument === "off") return keep(state, known, { _tag: "Silenced", cause, until: undefined })
      const from = timeAt(canonicalTime(argument) ?? "", state.now)
      return from < state.now
        ? keep(state, known, { _tag: "Silenced", cause, until: 2 * state.now - from })
        : stay(withNotice(state, `silence takes a time such as 8h, or off; not "${argument}"`, "failed"))
    })
  },
  {
    id: "sort causes",
    keys: ["s"],
    name: "sort",
    description: `Sort by ${causeOrders.join(", ")}.`,
    hint: 20,
    word: "sort",
    argument: causeOrders.join("|"),
    choices: () => causeOrders.map((value) => ({ value })),
    run: onScreen("Causes")((state, screen, { argument }) => {
      const next = causeOrders[(causeOrders.indexOf(screen.order) + 1) % causeOrders.length] ?? "count"
      const order = causeOrders.find((known) => known === argument) ?? next
      const sorted = { ...screen, order }
      const here = causesOf(state, screen)[screen.cursor.at]?.number
      const at = causesOf(state, sorted).findIndex(({ number }) => number === here)
      return stay(putScreen(state, withCursorAt(sorted, Math.max(0, at))))
    })
  }
])

/** All causes of the failures of a list. */
export const causesKind: ScreenKind<CausesScreen> = {
  title: () => "Causes",
  actions,
  view: causesView,
  list: {
    length: (state, screen) => causesOf(state, screen).length,
    // How many there are, and column titles.
    height: (_, { height }) => Math.max(1, height - 2 - causesFoot(height))
  }
}

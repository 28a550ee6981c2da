import { make as makeField } from "../keyboard/TextField.ts"
import { themeNames } from "@signalbox/operator/connections/NamedConnection"
import { glyphs } from "../theme/Glyphs.ts"
import { looked } from "@signalbox/operator/connections/KnownCauses"
import { counted } from "@signalbox/operator/text/Counted"
import { expectedOneOf } from "@signalbox/core/Nearest"
import { timeZoneFrom, timeZones, unknownTimeZone } from "@signalbox/operator/text/Zone"
import { isUnderWay } from "../state/FileRun.ts"
import { isChanged } from "../screens/credentials/CredentialsScreen.ts"
import { concealAll } from "../screens/SecretTimer.ts"
import { make as makeRequests } from "../screens/requests/RequestsScreen.ts"
import { make as makeText } from "../screens/text/TextScreen.ts"
import { clear } from "@signalbox/operator/filter/Filter"
import { groupsOf, make as makeEvents } from "../screens/events/EventsScreen.ts"
import { summaryOf } from "../screens/events/LoadedEvents.ts"
import { open } from "../screens/events/EventsUpdate.ts"
import { noFacts } from "../state/Facts.ts"
import { historyText } from "../state/History.ts"
import { masked, maskedText } from "../state/Masking.ts"
import { kindOf } from "../screens/ScreenKinds.ts"
import { withNextPart } from "../screens/events/MaskedEvents.ts"
import type { Command } from "../state/Command.ts"
import { pushScreen, topScreen } from "../state/ScreenStack.ts"
import { type State, stay, type Transition, withCommands, withNotice } from "../state/State.ts"
import { keyFor, type Action, optionsOf, placed } from "../actions/Action.ts"
import { zoneOf } from "../view/Times.ts"
import { actingOn } from "../actions/OnScreen.ts"
import { recordAction } from "../actions/RecordAction.ts"

const everywhere: Action["places"] = ["List", "Credentials", "Help", "Palette", "Prompt", "Confirm"]

const setTheme = (state: State, name: string): State => {
  const theme = themeNames.find((known) => known === name)
  return theme === undefined
    ? withNotice(state, `unknown theme "${name}"; ${expectedOneOf(name, themeNames)}`, "failed")
    : withNotice({ ...state, settings: { ...state.settings, theme } }, `theme ${theme}`)
}

const setTimeZone = (state: State, typed: string): State => {
  const timeZone = timeZoneFrom(typed)
  if (timeZone === undefined) return withNotice(state, unknownTimeZone(typed), "failed")
  const next = { ...state, settings: { ...state.settings, timeZone } }
  return withNotice(next, `times are in ${timeZone} (${zoneOf(next).heading})`)
}

const setInterval = (state: State, typed: string): State => {
  if (typed === "off") return withNotice({ ...state, interval: 0 }, "live tail is off")
  const match = /^(\d{1,4})(s|m)?$/u.exec(typed)
  const seconds = match === null ? 0 : Number(match[1]) * (match[2] === "m" ? 60 : 1)
  return seconds < 2 || seconds > 3600
    ? withNotice(state, `every takes a time from 2s to 60m, or off; not "${typed}"`, "failed")
    : withNotice(
        { ...state, interval: seconds },
        `live tail: reads new events every ${typed}; ${keyFor(state, "live tail")} stops it`
      )
}

/** The work that the user would lose if the session ended now: results of running writes, forms and drafts. */
const atStake = (
  { connection, drafts, fileRun, recording, screens, tasks }: State,
  command: Command
): ReadonlyArray<string> => {
  const forms = [...screens, ...drafts].filter(
    (screen) => screen._tag === "Credentials" && !screen.sending && isChanged(screen)
  )
  const writes = tasks.filter((task) => task.writes).map(({ label }) => label)
  return [
    ...(isUnderWay(fileRun)
      ? [
          `The run of ${fileRun.file} stops after the lines in flight; ${fileRun.resume === undefined ? "the demo ends with this session" : `continue it with :run or ${fileRun.resume}`}.`
        ]
      : []),
    ...(writes.length === 0
      ? []
      : [`${writes.join(", ")}: still waiting for the response; if you leave, you will not see the result.`]),
    ...(forms.length === 0 ? [] : [`${counted(forms.length, "form")} with unsent changes will be discarded.`]),
    // Quitting discards everything; after a change of connection the work lists would be missed.
    ...(drafts.length === 0 || command._tag !== "Connect"
      ? []
      : [`Unfinished work on ${connection.name} will be discarded (${counted(drafts.length, "screen")}).`]),
    ...(recording === undefined || command._tag !== "Connect" ? [] : [`The recording of ${connection.name} will end.`])
  ]
}

/** Keeps the rates of the causes: the next session shows what is new since. */
const lookOf = ({ connection, now, screens: [list] }: State): ReadonlyArray<Command> =>
  connection.known === undefined || list?._tag !== "Events" || list.events.length === 0
    ? []
    : [
        {
          _tag: "KeepCauses",
          connection: connection.name,
          change: looked(groupsOf(list), summaryOf(list.events).range, now)
        }
      ]

/** Runs what ends the session; after a question where something is at stake. */
const confirmLeaving = (state: State, command: Command): Transition => {
  const stakes = atStake(state, command)
  return stakes.length === 0 || state.overlay?._tag === "Confirm"
    ? withCommands(state, ...lookOf(state), command)
    : stay({
        ...state,
        overlay: {
          _tag: "Confirm",
          question: `${stakes.join(" ")} Leave now?`,
          field: makeField(),
          accept: (next) => withCommands(next, ...lookOf(next), command)
        }
      })
}

/**
 * Masks everything that was read so far; long lists part by part. Screens that cannot be masked are
 * closed.
 */
const maskedState = (state: State): Transition =>
  withNextPart({
    ...state,
    settings: { ...state.settings, masked: true },
    screens: state.screens.flatMap((screen) => {
      const { masked: mask = () => screen } = kindOf(screen)
      return mask(screen) ?? []
    }),
    facts: masked(state.facts),
    copied: undefined,
    history: state.history.map(({ at, text }) => ({ at, text: maskedText(text) })),
    requests: masked(state.requests)
  })

/** Turns masking off. Masked values are not kept, so the list is read again and everything else is discarded. */
const unmasked = (state: State): Transition => {
  const [first] = state.screens
  const screen = makeEvents(state.nextId, first?._tag === "Events" ? first.filter : clear, state.settings.list.sort)
  const settings = { ...state.settings, masked: false }
  const next = { ...state, settings, screens: [screen], facts: noFacts, nextId: state.nextId + 1 }
  return open(withNotice(next, "masking is off; reloading the events", "warning"), screen)
}

/** The actions of every screen. */
export const appActions = placed("List", [
  {
    id: "command palette",
    keys: [":"],
    name: "command",
    description: "Find an action by its name or its key, and run it.",
    hint: 92,
    run: (state) => stay({ ...state, overlay: { _tag: "Palette", field: makeField(), cursor: 0 } })
  },
  {
    id: "help",
    keys: ["?"],
    description: "All keys of this screen; type to search them, enter runs the chosen one.",
    hint: 94,
    run: (state) => stay({ ...state, overlay: { _tag: "Help", cursor: 0, search: makeField() } })
  },
  {
    id: "help in the form",
    keys: ["ctrl-x"],
    name: "help",
    description: "All keys of the form; a question mark types itself here.",
    places: ["Credentials"],
    hint: 94,
    run: (state) => stay({ ...state, overlay: { _tag: "Help", cursor: 0, search: makeField() } })
  },
  {
    id: "quit",
    keys: ["q"],
    description: "Quit and restore the terminal. Asks first while a change is being sent or a form has unsent changes.",
    hint: 96,
    run: (state) => confirmLeaving(state, { _tag: "Quit" })
  },
  {
    id: "quit at once",
    keys: ["ctrl-c"],
    description: "Quit from anywhere, also from a form; a second time confirms the question.",
    places: everywhere,
    run: (state) => confirmLeaving(state, { _tag: "Quit" })
  },
  {
    id: "suspend",
    keys: ["ctrl-z"],
    description: "Suspend and return to the shell; fg resumes.",
    places: everywhere,
    // Another person may be watching the screen when `fg` brings it back.
    run: (state) => withCommands(concealAll(state), { _tag: "Suspend" })
  },
  {
    id: "redraw",
    keys: ["ctrl-l"],
    description: "Redraw the screen, for example after another program wrote over it.",
    places: everywhere,
    run: (state) => withCommands(state, { _tag: "Redraw" })
  },
  {
    id: "theme",
    keys: [],
    description: "Change the colours.",
    word: "theme",
    argument: themeNames.join("|"),
    choices: () => optionsOf(themeNames),
    run: (state, { argument }) => {
      const next = themeNames[(themeNames.indexOf(state.settings.theme) + 1) % themeNames.length] ?? "dark"
      return stay(setTheme(state, argument === "" ? next : argument))
    }
  },
  {
    id: "time zone",
    keys: [],
    description:
      "State times in another zone: local, utc or one such as Europe/Berlin. Copies and reports stay in UTC.",
    word: "tz",
    argument: "ZONE",
    choices: () => optionsOf(timeZones()),
    run: (state, { argument }) =>
      stay(setTimeZone(state, argument !== "" ? argument : state.settings.timeZone === "utc" ? "local" : "utc"))
  },
  {
    id: "ASCII signs",
    keys: [],
    description: "Use only ASCII characters, or Unicode again.",
    word: "ascii",
    run: (state) =>
      stay({
        ...state,
        settings: { ...state.settings, glyphs: state.settings.glyphs.name === "ascii" ? glyphs.unicode : glyphs.ascii }
      })
  },
  {
    id: "mask",
    keys: [],
    description:
      "Mask names, e-mail addresses, phone numbers, tokens and payloads everywhere, for a shared screen; off reloads the events.",
    word: "mask",
    argument: "on|off",
    choices: () => optionsOf(["on", "off"]),
    run: (state, { argument }) => {
      const { masked } = state.settings
      if (argument === "off" || (argument === "" && masked)) return masked ? unmasked(state) : stay(state)
      return masked
        ? stay(withNotice(state, "the screen is masked already; :mask off shows the values", "warning"))
        : maskedState(withNotice(state, "masked: names, addresses, numbers, tokens and payloads; ids stay", "ok"))
    }
  },
  {
    id: "live tail",
    keys: ["t"],
    description:
      "Follow new events: read every 5 seconds, or stop. They appear at once while the cursor is at the top.",
    word: "every",
    argument: "SECONDS|off",
    choices: () => optionsOf(["2s", "5s", "30s", "5m", "off"]),
    run: (state, { argument }) =>
      stay(setInterval(state, argument === "" ? (state.interval === 0 ? "5s" : "off") : argument))
  },
  recordAction,
  {
    id: "request log",
    keys: ["L"],
    description: "Every request with status, duration, retries and request id; each can be copied as cURL.",
    unavailable: (state) => (topScreen(state)._tag === "Requests" ? "this is the request log" : undefined),
    run: (state) => stay(pushScreen(state, makeRequests))
  },
  {
    id: "what happened",
    keys: ["H"],
    description:
      "What was changed, copied and saved so far, and what failed, with times and request ids, newest first.",
    unavailable: ({ history }) => (history.length === 0 ? "nothing has been changed and nothing failed" : undefined),
    run: (state) => stay(pushScreen(state, (id) => makeText(id, "what happened", historyText(state.history))))
  },
  {
    id: "what was copied",
    keys: [],
    description: "Show the last copied text, to select it by hand if the terminal cannot copy.",
    word: "copied",
    ...actingOn(
      ({ copied }) => copied ?? "nothing has been copied yet",
      (state, { text, what }) => stay(pushScreen(state, (id) => makeText(id, `copied: ${what}`, text)))
    )
  },
  {
    id: "connect",
    keys: [],
    description: "Change to another connection of the configuration file.",
    word: "connect",
    argument: "NAME",
    choices: (state) => optionsOf(state.connection.choices),
    unavailable: ({ connection }) => (connection.kind === "replay" ? "a replay has no other connection" : undefined),
    run: (state, { argument }) =>
      argument === ""
        ? stay(withNotice(state, `connections: ${state.connection.choices.join(", ")}`))
        : state.connection.choices.includes(argument)
          ? confirmLeaving(state, { _tag: "Connect", name: argument })
          : stay(
              withNotice(
                state,
                `unknown connection "${argument}"; ${expectedOneOf(argument, state.connection.choices)}`,
                "failed"
              )
            )
  }
])

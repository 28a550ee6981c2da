import type { MouseInput } from "../keyboard/Mouse.ts"
import { keyFor } from "../actions/Action.ts"
import { itemAt } from "../view/Row.ts"
import { render } from "./View.ts"
import { bindings } from "./Actions.ts"
import { press } from "./RunAction.ts"
import { empty } from "../keyboard/Chord.ts"
import type { Key } from "../keyboard/Key.ts"
import { overlayKey, overlayPaste } from "../overlay/OverlayUpdate.ts"
import * as CredentialsUpdate from "../screens/credentials/CredentialsUpdate.ts"
import * as EventUpdate from "../screens/event/EventUpdate.ts"
import { clear } from "@signalbox/operator/filter/Filter"
import { make as makeEvents } from "../screens/events/EventsScreen.ts"
import * as EventsUpdate from "../screens/events/EventsUpdate.ts"
import { maskMore } from "../screens/events/MaskedEvents.ts"
import { kindOf } from "../screens/ScreenKinds.ts"
import { listing, moveBy, moveTo } from "../screens/Listing.ts"
import { concealDue } from "../screens/SecretTimer.ts"
import * as RunUpdate from "../screens/run/RunActions.ts"
import * as MessagesUpdate from "../screens/messages/MessagesUpdate.ts"
import { counted } from "@signalbox/operator/text/Counted"
import type { ThemeName } from "@signalbox/operator/connections/NamedConnection"
import type { Command } from "../state/Command.ts"
import { recorded } from "../state/History.ts"
import { maskedCommand, maskedMsg } from "../state/Masking.ts"
import type { Msg } from "../state/Msg.ts"
import { findScreen, listOf, topScreen } from "../state/ScreenStack.ts"
import { type State, stay, type Transition, withCommands, withNotice } from "../state/State.ts"
import type { ConnectionInfo } from "../state/Connection.ts"
import type { Task } from "../state/Feedback.ts"
import { isTooSmall } from "../state/Settings.ts"
import { makeInitialState } from "./InitialState.ts"
import { withRequest } from "../state/Requests.ts"

/** The keys that work where no screen is drawn; any other would act on hidden rows. */
const unseenKeys: ReadonlyMap<string, Key> = new Map([
  ["q", { name: "ctrl-c" }],
  ["ctrl-c", { name: "ctrl-c" }],
  ["ctrl-z", { name: "ctrl-z" }]
])

const key = (state: State, pressed: Key): Transition => {
  if (isTooSmall(state.size)) {
    const known = unseenKeys.get(pressed.name)
    return known === undefined ? stay(state) : press({ ...state, chord: empty }, known)
  }
  if (state.overlay !== undefined) return overlayKey(state, pressed)
  const screen = topScreen(state)
  const { type } = kindOf(screen)
  return type === undefined || bindings(screen._tag, state.settings.bindings).has(pressed.name)
    ? press(state, pressed)
    : type(state, screen, pressed)
}

const keys = (state: State, pressed: ReadonlyArray<Key>): Transition => {
  const commands: Array<Command> = []
  let next = state
  for (const one of pressed) {
    const moved = key(next, one)
    const settled = settleAndLoad(moved.state)
    next = settled.state
    commands.push(...moved.commands, ...settled.commands)
  }
  return { state: next, commands }
}

/** Lines that one turn of the wheel scrolls. */
const wheelLines = 3

/** The wheel moves the cursor; a click puts it on an item. */
const mouse = (state: State, { button, column, row }: MouseInput): Transition => {
  if (isTooSmall(state.size)) return stay(state)
  if (button !== "click" && (state.overlay?._tag === "Palette" || state.overlay?._tag === "Help")) {
    return overlayKey(state, { name: button })
  }
  if (state.overlay !== undefined) return stay(state)
  if (button !== "click") return settleAndLoad(moveBy(state, button === "up" ? -wheelLines : wheelLines))
  const line = render(state)[row]
  const item = line === undefined ? undefined : itemAt(line, column)
  return item === undefined ? stay(state) : settleAndLoad(moveTo({ ...state, chord: empty, notice: undefined }, item))
}

const paste = (state: State, text: string): Transition => {
  if (isTooSmall(state.size)) return stay(state)
  if (state.overlay !== undefined) return overlayPaste(state, text)
  const screen = topScreen(state)
  // A paste outside of a field is not a command: a pasted "q" must not quit.
  return (
    kindOf(screen).paste?.(state, screen, text) ??
    stay(withNotice(state, `nothing to paste into here; ${keyFor(state, "filter")} opens the filter`, "warning"))
  )
}

/** Reads what changed on the screen on top, and the live tail of the list below it, which may be watched. */
const refreshDue = (state: State): Transition => {
  if (state.interval === 0) return stay(state)
  const screen = topScreen(state)
  const list = listOf(state)
  const below = list === undefined || list === screen ? stay(state) : EventsUpdate.readTail(state, list)
  const top = kindOf(screen).refresh?.(below.state, screen) ?? stay(below.state)
  return { ...top, commands: [...below.commands, ...top.commands] }
}

/** Restarts with another connection: facts from one service do not apply to the other. */
const connected = (state: State, connection: ConnectionInfo, theme: ThemeName = state.settings.theme): Transition => {
  const screen = makeEvents(state.nextId, clear, state.settings.list.sort)
  const { fileRun, history, requests, interval, now, settings, size, tasks, typedBefore } = state
  const next: State = {
    ...makeInitialState({ size, now, settings: { ...settings, theme }, connection, screen }),
    fileRun,
    history,
    requests,
    interval,
    tasks,
    typedBefore
  }
  return EventsUpdate.open(withNotice(next, `connected to ${connection.name}`, "ok"), screen)
}

/** Reads the list again, so that the recording starts with it. */
const recordingStarted = (state: State, path: string, startedAt: number): Transition => {
  const recording = withNotice(
    { ...state, recording: { path, exchanges: 0 } },
    `recording to ${path}: reading the list again, so that it starts with it; :record stop ends it`,
    "ok"
  )
  const [first] = state.screens
  return first?._tag === "Events" ? EventsUpdate.readAgain({ ...recording, now: startedAt }, first) : stay(recording)
}

/** Clears the loading state of every screen. */
const readingStopped = (state: State): State => ({
  ...state,
  screens: state.screens.map((screen) => kindOf(screen).stopped?.(screen) ?? screen)
})

const withTask = (tasks: State["tasks"], id: number, change: (task: Task) => Task): State["tasks"] =>
  tasks.map((task) => (task.id === id ? change(task) : task))

const handle = (state: State, message: Msg): Transition => {
  switch (message._tag) {
    case "Keys":
      return keys(state, message.keys)
    case "Mouse":
      return mouse(state, message.input)
    case "Paste":
      return paste(state, message.text)
    case "Resized":
      return stay({ ...state, size: message.size })
    case "Tick":
      return stay(state)
    case "RefreshDue":
      return refreshDue(state)
    case "TaskStarted":
      return stay({ ...state, tasks: [...state.tasks, message.task] })
    case "TaskNoted":
      return stay({
        ...state,
        tasks: withTask(state.tasks, message.id, (task) => ({ ...task, note: message.note, waitsUntil: undefined }))
      })
    case "TaskProgressed":
      return stay({
        ...state,
        tasks: withTask(state.tasks, message.id, (task) => ({ ...task, progress: message.progress }))
      })
    case "TaskWaits":
      return stay({
        ...state,
        tasks: withTask(state.tasks, message.id, (task) => ({ ...task, waitsUntil: message.until }))
      })
    case "TaskEnded":
      return stay({ ...state, tasks: state.tasks.filter(({ id }) => id !== message.id) })
    case "EventsLoaded":
      return EventsUpdate.loaded(state, message.screenId, message.mode, message.page, message.call.unreadable)
    case "WindowSampled":
      return EventsUpdate.sampled(state, message.screenId, message.report)
    case "EventsFailed":
      return EventsUpdate.failed(state, message.screenId, message.mode, message.problem)
    case "EventLoaded":
      return EventUpdate.loaded(state, message.screenId, message.event)
    case "EventFailed":
      return EventUpdate.failed(state, message.screenId, message.problem)
    case "CredentialsSaved":
      return CredentialsUpdate.saved(state, message.screenId, message.subscriber, message.call)
    case "CredentialsRefused":
      return CredentialsUpdate.refused(state, message.screenId, message.problem)
    case "MessagesMarked":
      return MessagesUpdate.marked(state, message)
    case "MarkFailed":
      return MessagesUpdate.failed(state, message)
    case "Triggered":
      return withCommands(state, { _tag: "FindEvent", transactionId: message.transactionId })
    case "EventFound":
      return EventUpdate.found(state, message.transactionId, message.event)
    case "Connected":
      return connected(state, message.connection, message.theme)
    case "MaskMore":
      return maskMore(state)
    case "RequestMade":
      return stay({ ...state, requests: withRequest(state.requests, message.request) })
    case "RecordingStarted":
      return recordingStarted(state, message.path, message.startedAt)
    case "RecordingGrew":
      return stay(
        state.recording === undefined
          ? state
          : { ...state, recording: { ...state.recording, exchanges: message.exchanges } }
      )
    case "RecordingEnded": {
      const saved = `${counted(message.exchanges, "exchange")} recorded in ${message.path}`
      const ended = { ...state, recording: undefined }
      return stay(
        message.why === undefined
          ? withNotice(ended, `recording ended: ${saved}`, "ok")
          : withNotice(ended, `recording stopped, ${message.why}; ${saved}`, "warning")
      )
    }
    case "RunReported":
      return stay(RunUpdate.reported(state, message))
    case "RunEnded":
      return stay(RunUpdate.ended(state, message))
    case "ReadingStopped":
      return stay(
        withNotice(readingStopped(state), `reading stopped; ${keyFor(state, "refresh")} reads again`, "warning")
      )
    case "Copied":
      return stay({ ...state, copied: { text: message.text, what: message.what } })
    case "Noticed":
      return stay({ ...state, notice: message.notice })
  }
}

/** Keeps the cursor inside its list. */
const settle = (state: State): State => {
  const list = listing(state)
  return list === undefined ? state : moveTo(state, list.cursor.at)
}

/** The same, and asks for the next page near the end of the list. */
const settleAndLoad = (state: State): Transition => {
  const list = listing(state)
  const settled = settle(state)
  const screen = topScreen(settled)
  return list !== undefined && screen._tag === "Events" && state.overlay === undefined
    ? EventsUpdate.loadNearEnd(settled, screen, list.height)
    : stay(settled)
}

/**
 * Whether the list may ask for its next page after a message: when more of it could be seen. A response alone leads to
 * the next request only where it brought rows, and never for a filter that is computed here: few events may pass it, and
 * the whole history would be read for them.
 */
const mayLoad = (message: Msg, before: State, after: State): boolean => {
  if (message._tag === "Resized") return true
  if (message._tag !== "EventsLoaded") return false
  const screen = findScreen(after, message.screenId, "Events")
  return screen !== undefined && EventsUpdate.hasGrown(findScreen(before, message.screenId, "Events"), screen)
}

/** The next state, and commands to run. `now` is the time of the message, in milliseconds since 1970. */
export const update = (state: State, received: Msg, now: number): Transition => {
  const message = state.settings.masked ? maskedMsg(received) : received
  const first = handle(concealDue({ ...state, now }), message)
  const second = mayLoad(message, state, first.state) ? settleAndLoad(first.state) : stay(settle(first.state))
  const history = recorded(state, second.state, message)
  const { connection, typedBefore } = second.state
  const commands: ReadonlyArray<Command> = [
    ...first.commands,
    ...second.commands,
    ...(typedBefore === state.typedBefore || connection.kind !== "live"
      ? []
      : [{ _tag: "KeepPrompts", typed: typedBefore } as const])
  ]
  return {
    state: history === second.state.history ? second.state : { ...second.state, history },
    commands: second.state.settings.masked ? commands.map(maskedCommand) : commands
  }
}

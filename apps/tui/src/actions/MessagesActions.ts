import { make as makeField } from "../keyboard/TextField.ts"
import { type MessagesScreen, make } from "../screens/messages/MessagesScreen.ts"
import { mark, sendAgain, undo, unfinishedHere } from "../screens/messages/MessagesUpdate.ts"
import type { MarkAs } from "../state/Command.ts"
import { addMessageIds, messagesOf } from "../state/Known.ts"
import { pushScreen, putScreen, type State, stay, topScreen, type Transition } from "../state/State.ts"
import { messageIdsIn } from "../screens/messages/MessageIds.ts"
import { eventHere } from "./EventActions.ts"
import type { Action } from "./Action.ts"

const on =
  (run: (state: State, screen: MessagesScreen) => Transition): Action["run"] =>
  (state) => {
    const screen = topScreen(state)
    return screen._tag === "Messages" ? run(state, screen) : stay(state)
  }

const empty = (state: State): string | undefined => {
  const screen = topScreen(state)
  return screen._tag === "Messages" && messagesOf(state.known, screen.subscriberId).length === 0
    ? "no message is known yet; i adds ids"
    : undefined
}

const marking = (key: string, markAs: MarkAs, hint: number): Action => ({
  id: `mark as ${markAs}`,
  keys: [key],
  name: markAs,
  description: `Mark the marked messages, or the one under the cursor, as ${markAs}.`,
  places: ["Messages"],
  hint,
  writes: true,
  unavailable: empty,
  run: on((state, screen) => mark(state, screen, markAs))
})

/** The range since the anchor, or the line under the cursor, marked or unmarked. */
const toggle = (state: State, screen: MessagesScreen): Transition => {
  const all = messagesOf(state.known, screen.subscriberId)
  const { at } = screen.cursor
  const [from, to] = screen.anchor === undefined ? [at, at] : [Math.min(screen.anchor, at), Math.max(screen.anchor, at)]
  const marked = new Set(screen.marked)
  for (const { id } of all.slice(from, to + 1)) {
    if (screen.anchor === undefined && marked.has(id)) marked.delete(id)
    else marked.add(id)
  }
  const cursor = screen.anchor === undefined ? { ...screen.cursor, at: at + 1 } : screen.cursor
  return stay(putScreen(state, { ...screen, marked, anchor: undefined, cursor }))
}

const subscriberHere = (state: State): string | undefined => {
  const screen = topScreen(state)
  if (screen._tag === "Subscriber") return screen.subscriberId
  return eventHere(state)?.subscriber?.subscriberId
}

/** What can be done with in-app messages. */
export const messagesActions: ReadonlyArray<Action> = [
  {
    id: "messages",
    keys: ["m"],
    name: "messages",
    description: "The work list of this subscriber's in-app messages.",
    places: ["Events", "Event", "Subscriber"],
    hint: 52,
    word: "messages",
    argument: "SUBSCRIBER",
    unavailable: (state, argument) =>
      argument === "" && subscriberHere(state) === undefined
        ? "the event carries no subscriber with an external id"
        : undefined,
    run: (state, { argument }) => {
      const subscriberId = argument === "" ? subscriberHere(state) : argument
      if (subscriberId === undefined) return stay(state)
      const event = eventHere(state)
      const ids = argument === "" && event !== undefined ? messageIdsIn(event) : []
      const known = addMessageIds(state.known, subscriberId, ids, { source: "an execution detail", at: state.now })
      return stay(pushScreen({ ...state, known }, (id) => make(id, subscriberId)))
    }
  },
  marking("r", "read", 10),
  marking("R", "unread", 60),
  marking("s", "seen", 12),
  marking("S", "unseen", 62),
  {
    id: "mark message",
    keys: ["space"],
    name: "mark",
    description: "Mark the message, or the range since V.",
    places: ["Messages"],
    hint: 20,
    unavailable: empty,
    run: on(toggle)
  },
  {
    id: "mark message range",
    keys: ["V"],
    name: "range",
    description: "Begin a range here; move, then press space to mark all of it.",
    places: ["Messages"],
    unavailable: empty,
    run: on((state, screen) =>
      stay(putScreen(state, { ...screen, anchor: screen.anchor === undefined ? screen.cursor.at : undefined }))
    )
  },
  {
    id: "mark all messages",
    keys: ["*"],
    name: "all",
    description: "Mark all messages of the list, or none.",
    places: ["Messages"],
    unavailable: empty,
    run: on((state, screen) => {
      const ids = messagesOf(state.known, screen.subscriberId).map(({ id }) => id)
      const all = ids.every((id) => screen.marked.has(id))
      return stay(putScreen(state, { ...screen, marked: all ? new Set() : new Set(ids) }))
    })
  },
  {
    id: "add message ids",
    keys: ["i"],
    name: "add ids",
    description: "Type or paste message ids: the API lists none.",
    places: ["Messages"],
    hint: 14,
    run: (state) => stay({ ...state, overlay: { _tag: "Prompt", purpose: "messages", field: makeField() } })
  },
  {
    id: "send again",
    keys: ["x"],
    name: "send again",
    description: "Send the mark again for the messages that failed or were not tried, and for no other.",
    places: ["Messages"],
    hint: 45,
    writes: true,
    retries: true,
    unavailable: (state) => {
      const screen = topScreen(state)
      return screen._tag === "Messages" && unfinishedHere(state, screen).length === 0
        ? "no message of the last marks failed or was left out"
        : undefined
    },
    run: on(sendAgain)
  },
  {
    id: "undo",
    keys: ["u"],
    name: "undo",
    description: "Take the last mark back where it was done; what then still differs is shown.",
    places: ["Messages"],
    hint: 40,
    writes: true,
    unavailable: (state) => {
      const screen = topScreen(state)
      return screen._tag === "Messages" && screen.last === undefined ? "there is nothing to undo" : undefined
    },
    run: on(undo)
  }
]

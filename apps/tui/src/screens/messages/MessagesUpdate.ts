import { addMessageIds, expectMessages, fromMarks, messagesOf } from "../../state/Known.ts"
import type { MarkAs } from "../../state/Command.ts"
import type { Message } from "../../state/Message.ts"
import {
  findScreen,
  type Problem,
  putScreen,
  type State,
  stay,
  type Transition,
  withCommands,
  withNotice
} from "../../state/State.ts"
import { guarded } from "../Guard.ts"
import { idsIn, inverse, looksLikeId, type MessagesScreen, selected } from "./MessagesScreen.ts"

const plural = (count: number, word: string) => `${count} ${word}${count === 1 ? "" : "s"}`

/** Takes typed or pasted ids into the work list. */
export const addIds = (state: State, screen: MessagesScreen, typed: string): Transition => {
  const ids = idsIn(typed)
  if (ids.length === 0) return stay(withNotice(state, "no id in what was typed", "warning"))
  const before = messagesOf(state.known, screen.subscriberId).length
  const known = addMessageIds(state.known, screen.subscriberId, ids, { source: "typed or pasted here", at: state.now })
  const added = messagesOf(known, screen.subscriberId).length - before
  const odd = ids.filter((id) => !looksLikeId(id)).length
  const hint = odd === 0 ? "" : `; ${plural(odd, "id")} not of 24 hex digits, as the service's ids usually are`
  return stay(withNotice({ ...state, known }, `${plural(added, "message")} added${hint}`, odd === 0 ? "ok" : "warning"))
}

const expectation = (markAs: MarkAs) =>
  markAs === "read" || markAs === "unread" ? { read: markAs === "read" } : { seen: markAs === "seen" }

const begin = (
  state: State,
  screen: MessagesScreen,
  ids: ReadonlyArray<string>,
  markAs: MarkAs,
  undo: boolean
): Transition =>
  withCommands(
    putScreen(
      { ...state, known: expectMessages(state.known, ids, expectation(markAs)) },
      { ...screen, sending: new Set([...screen.sending, ...ids]), problem: undefined, differs: new Map() }
    ),
    { _tag: "MarkMessages", screenId: screen.id, subscriberId: screen.subscriberId, ids, markAs, undo }
  )

/** Marks the selected messages. The named flag flips at once; the rest waits for the answer. */
export const mark = (state: State, screen: MessagesScreen, markAs: MarkAs): Transition => {
  const ids = selected(screen, state.known).map(({ id }) => id)
  if (ids.length === 0) return stay(withNotice(state, "no message here; i adds ids", "warning"))
  return guarded(state, {
    question: `mark ${plural(ids.length, "message")} of ${screen.subscriberId} as ${markAs}?`,
    run: (now) => begin(now, findScreen(now, screen.id, "Messages") ?? screen, ids, markAs, false)
  })
}

/** Sends the inverse of the last mark. */
export const undo = (state: State, screen: MessagesScreen): Transition => {
  const { last } = screen
  if (last === undefined) return stay(state)
  return guarded(state, {
    question: `mark ${plural(last.ids.length, "message")} of ${screen.subscriberId} as ${inverse[last.markAs]} again?`,
    run: (now) => begin(now, findScreen(now, screen.id, "Messages") ?? screen, last.ids, inverse[last.markAs], true)
  })
}

const without = (set: ReadonlySet<string>, ids: ReadonlyArray<string>): ReadonlySet<string> =>
  new Set(Array.from(set).filter((id) => !ids.includes(id)))

type Marked = Extract<Message, { readonly _tag: "MessagesMarked" }>

/** What an undo did not bring back: the document does not say what one flag does to the other. */
const differences = ({ messages }: Marked, before: MessagesScreen["last"]): ReadonlyMap<string, string> => {
  const found = new Map<string, string>()
  if (before === undefined) return found
  for (const message of messages) {
    const earlier = message._id === undefined ? undefined : before.before.get(message._id)
    if (message._id === undefined || earlier === undefined) continue
    const parts = (["read", "seen"] as const).flatMap((flag) =>
      earlier[flag] === message[flag]
        ? []
        : [`${flag} was ${earlier[flag] ? "yes" : "no"}, is ${message[flag] ? "yes" : "no"}`]
    )
    if (parts.length > 0) found.set(message._id, parts.join(", "))
  }
  return found
}

/** Takes the service's answer over what was expected. */
export const marked = (state: State, message: Marked): Transition => {
  const { ids, markAs, messages, subscriberId, call } = message
  const screen = findScreen(state, message.screenId, "Messages")
  const before = new Map(
    ids.flatMap((id) => {
      const known = state.known.messages.get(id)?.message
      return known === undefined ? [] : [[id, { read: known.read, seen: known.seen }] as const]
    })
  )
  const known = fromMarks(expectMessages(state.known, ids, undefined), subscriberId, messages, state.now)
  const missing = ids.length - messages.length
  const text = `${plural(messages.length, "message")} ${message.undo ? "set back to" : "set to"} ${markAs}: ${call.status} in ${Math.round(call.durationMs)} ms`
  const next = withNotice(
    { ...state, known },
    missing > 0
      ? `${text}; ${plural(missing, "id")} not in the answer`
      : message.undo
        ? text
        : `${text}; u takes it back`,
    missing > 0 ? "warning" : "ok"
  )
  if (screen === undefined) return stay(next)
  return stay(
    putScreen(next, {
      ...screen,
      sending: without(screen.sending, ids),
      marked: new Set(),
      last: message.undo
        ? undefined
        : { ids: messages.flatMap(({ _id }) => (_id === undefined ? [] : [_id])), markAs, before },
      differs: message.undo ? differences(message, screen.last) : new Map()
    })
  )
}

/** Takes the expectation back and says why. */
export const failed = (state: State, screenId: number, ids: ReadonlyArray<string>, problem: Problem): Transition => {
  const next = { ...state, known: expectMessages(state.known, ids, undefined) }
  const screen = findScreen(next, screenId, "Messages")
  return screen === undefined
    ? stay(next)
    : stay(putScreen(next, { ...screen, sending: without(screen.sending, ids), problem }))
}

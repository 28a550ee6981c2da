import {
  acceptFlags,
  addMessageIds,
  dropMessageIds,
  expectMessages,
  type Flags,
  fromMarks,
  type Facts,
  messagesOf,
  noteOutcome
} from "../../state/Facts.ts"
import type { Msg } from "../../state/Msg.ts"
import { findScreen, putScreen, topScreen } from "../../state/ScreenStack.ts"
import { type State, stay, type Transition, withCommands, withNotice } from "../../state/State.ts"
import { confirmWrite } from "../ConfirmWrite.ts"
import { unfinished } from "./MarkResult.ts"
import { idsIn, inverse, looksLikeId, type Mark, type MessagesScreen, selected } from "./MessagesScreen.ts"
import { counted } from "@signalbox/operator/text/Counted"
import type { MarkAs, MarkRequest } from "../../state/Mark.ts"
import type { CallFacts } from "../../state/Requests.ts"

/** Adds typed or pasted ids to the work list. */
export const addIds = (state: State, screen: MessagesScreen, typed: string): Transition => {
  const ids = idsIn(typed)
  if (ids.length === 0) return stay(withNotice(state, "no ids in the input", "warning"))
  const before = messagesOf(state.facts, screen.subscriberId).length
  const facts = addMessageIds(state.facts, screen.subscriberId, ids, {
    source: "ids typed or pasted here",
    at: state.now
  })
  const added = messagesOf(facts, screen.subscriberId).length - before
  const odd = ids.filter((id) => !looksLikeId(id)).length
  const hint = odd === 0 ? "" : `; ${counted(odd, "id")} without the usual 24 hex digits`
  return stay(
    withNotice({ ...state, facts }, `${counted(added, "message")} added${hint}`, odd === 0 ? "ok" : "warning")
  )
}

/** Removes the selected ids from the work list: nothing changes on the service. */
export const drop = (state: State, screen: MessagesScreen): Transition => {
  const ids = selected(screen, state.facts).map(({ id }) => id)
  const facts = dropMessageIds(state.facts, ids)
  const next = putScreen({ ...state, facts }, { ...screen, selection: new Set(), anchor: undefined })
  return stay(
    withNotice(next, `${counted(ids.length, "message")} removed from this list; nothing changed on the service`)
  )
}

const flagsOf = (markAs: MarkAs): Flags =>
  markAs === "read" || markAs === "unread" ? { read: markAs === "read" } : { seen: markAs === "seen" }

const begin = (state: State, screen: MessagesScreen, marks: ReadonlyArray<MarkRequest>): Transition => {
  const ids = marks.flatMap((mark) => mark.ids)
  const facts = marks.reduce(
    (next, mark) => expectMessages(noteOutcome(next, mark.ids, undefined), mark.ids, flagsOf(mark.markAs)),
    state.facts
  )
  return withCommands(
    putScreen(
      { ...state, facts },
      { ...screen, sending: new Set([...screen.sending, ...ids]), problem: undefined, differs: new Map() }
    ),
    ...marks.map((mark) => ({ _tag: "MarkMessages", screenId: screen.id, mark }) as const)
  )
}

const numbered = (state: State): State => ({ ...state, nextId: state.nextId + 1 })

const current = (state: State, screen: MessagesScreen): MessagesScreen =>
  findScreen(state, screen.id, "Messages") ?? screen

/** Marks the selected messages. The named flag flips at once; the rest waits for the response. */
export const mark = (state: State, screen: MessagesScreen, markAs: MarkAs): Transition => {
  const { subscriberId } = screen
  const ids = selected(screen, state.facts).map(({ id }) => id)
  return confirmWrite(state, {
    question: `mark ${counted(ids.length, "message")} of ${subscriberId} as ${markAs}?`,
    run: (now) =>
      begin(numbered(now), current(now, screen), [{ number: now.nextId, subscriberId, ids, markAs, undoes: undefined }])
  })
}

/** Sends the inverse of the last mark, for the messages that it changed. */
export const undo = (state: State, screen: MessagesScreen): Transition => {
  const { last, subscriberId } = screen
  if (last === undefined) return stay(state)
  const markAs = inverse[last.markAs]
  return confirmWrite(state, {
    question: `mark ${counted(last.ids.length, "message")} of ${subscriberId} as ${markAs} again?`,
    run: (now) =>
      begin(numbered(now), current(now, screen), [
        { number: now.nextId, subscriberId, ids: last.ids, markAs, undoes: last.number }
      ])
  })
}

/** The marks of this subscriber's messages that failed or were not tried. */
export const unfinishedHere = (state: State, screen: MessagesScreen): ReadonlyArray<MarkRequest> =>
  unfinished(messagesOf(state.facts, screen.subscriberId))

/** Sends again what failed or was not tried, and nothing else. */
export const sendAgain = (state: State, screen: MessagesScreen): Transition => {
  const marks = unfinishedHere(state, screen)
  const count = marks.reduce((sum, { ids }) => sum + ids.length, 0)
  const values = Array.from(new Set(marks.map(({ markAs }) => markAs))).join(", ")
  return confirmWrite(state, {
    question: `mark ${counted(count, "message")} of ${screen.subscriberId} that failed or were not tried as ${values}?`,
    run: (now) => begin(now, current(now, screen), marks)
  })
}

const without = (set: ReadonlySet<string>, ids: ReadonlyArray<string>): ReadonlySet<string> =>
  new Set(Array.from(set).filter((id) => !ids.includes(id)))

type Marked = Extract<Msg, { readonly _tag: "MessagesMarked" }>

/** Flags that an undo did not restore: the document does not define the effect of one flag on the other. */
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

/** The mark that undo reverses after a part of a mark, or of an undo, is done. */
const lastAfter = (
  { last }: MessagesScreen,
  { markAs, number, undoes }: MarkRequest,
  done: ReadonlyArray<string>,
  facts: Facts
): Mark | undefined => {
  if (undoes !== undefined) {
    if (last?.number !== undoes) return last
    const ids = last.ids.filter((id) => !done.includes(id))
    return ids.length === 0 ? undefined : { ...last, ids }
  }
  if (done.length === 0) return last
  const earlier = last?.number === number ? last : undefined
  const before = new Map(
    done.flatMap((id) => {
      const message = facts.messages.get(id)?.message
      return message === undefined ? [] : [[id, { read: message.read, seen: message.seen }] as const]
    })
  )
  return {
    number,
    markAs,
    ids: [...(earlier?.ids ?? []), ...done],
    before: new Map([...before, ...(earlier?.before ?? [])])
  }
}

/** Records the outcome of messages whose call succeeded: the response may not contain all of them. */
const noteDone = (facts: Facts, mark: MarkRequest, ids: ReadonlyArray<string>, returned: ReadonlySet<unknown>): Facts =>
  noteOutcome(
    noteOutcome(
      facts,
      ids.filter((id) => returned.has(id)),
      { result: "done", mark }
    ),
    ids.filter((id) => !returned.has(id)),
    { result: "no record", mark }
  )

const responseText = (call: CallFacts) => `${call.status} in ${Math.round(call.durationMs)} ms`

/** Replaces what was expected with the service's response. */
export const marked = (state: State, message: Marked): Transition => {
  const { call, mark: request, messages, notReturned } = message
  const { ids, markAs, subscriberId, undoes } = request
  const returned = ids.filter((id) => !notReturned.includes(id))
  const settled = noteDone(expectMessages(state.facts, ids, undefined), request, ids, new Set(returned))
  const facts = fromMarks(settled, subscriberId, messages, state.now)
  const text = `${counted(returned.length, "message")} ${undoes === undefined ? "set to" : "set back to"} ${markAs}: ${responseText(call)}`
  const hint =
    notReturned.length > 0
      ? `; ${counted(notReturned.length, "id")} not in the response`
      : undoes === undefined
        ? "; u takes it back"
        : ""
  const next = withNotice({ ...state, facts }, text + hint, notReturned.length > 0 ? "warning" : "ok")
  const screen = findScreen(state, message.screenId, "Messages")
  if (screen === undefined) return stay(next)
  return stay(
    putScreen(next, {
      ...screen,
      sending: without(screen.sending, ids),
      selection: new Set(),
      last: lastAfter(screen, request, returned, state.facts),
      differs: undoes === undefined ? new Map() : differences(message, screen.last)
    })
  )
}

/** Reverts the expected flags of messages that were not marked, records the outcome of each, and shows the reason. */
export const failed = (state: State, message: Extract<Msg, { readonly _tag: "MarkFailed" }>): Transition => {
  const { mark: request, problem, report } = message
  const { ids, markAs, subscriberId } = request
  const accepted = Array.from(report.failed).flatMap(([id, { result }]) => (result === "done" ? [id] : []))
  const returned = new Set(report.messages.map(({ _id }) => _id))
  const settled = Array.from(report.failed).reduce(
    (known, [id, failure]) => noteOutcome(known, [id], { ...failure, mark: request }),
    noteOutcome(expectMessages(state.facts, ids, undefined), report.notTried, { result: "not tried", mark: request })
  )
  const noted = noteDone(settled, request, report.done, returned)
  const facts = fromMarks(
    acceptFlags(noted, accepted, flagsOf(markAs), state.now),
    subscriberId,
    report.messages,
    state.now
  )
  const next = { ...state, facts }
  const done = [...report.done.filter((id) => returned.has(id)), ...accepted]
  const screen = findScreen(next, message.screenId, "Messages")
  const withFailure =
    topScreen(next).id === message.screenId
      ? next
      : withNotice(
          next,
          `marking ${counted(ids.length, "message")} of ${subscriberId} as ${markAs} failed: ${problem.summary}`,
          "failed"
        )
  if (screen === undefined) return stay(withFailure)
  return stay(
    putScreen(withFailure, {
      ...screen,
      sending: without(screen.sending, ids),
      // The results of the mark replace its selection: only they are sent again.
      selection: new Set(),
      last: lastAfter(screen, request, done, state.facts),
      problem
    })
  )
}

import type { ActivityNotification } from "@signalbox/core/Records"
import { keyFor, placed } from "../../actions/Action.ts"
import { listHead, listRows, split } from "../Layout.ts"
import type { ScreenKind } from "../ScreenKind.ts"
import { detail, messagesView } from "./MessagesView.ts"
import { make as makeField } from "../../keyboard/TextField.ts"
import { toggleAllSelected, toggleSelected, toggleRange } from "../Selection.ts"
import { type MessagesScreen, selected } from "./MessagesScreen.ts"
import { openMessages } from "../Drafts.ts"
import { addIds, drop, mark, sendAgain, undo, unfinishedHere } from "./MessagesUpdate.ts"
import { addMessageIds, messagesOf } from "../../state/Facts.ts"
import { putScreen, topScreen } from "../../state/ScreenStack.ts"
import { type State, stay } from "../../state/State.ts"
import { eventHere, noSubscriber } from "../event/EventActions.ts"
import type { Action } from "../../actions/Action.ts"
import { onScreen, unlessScreen } from "../../actions/OnScreen.ts"
import type { MarkAs } from "../../state/Mark.ts"

const idKey = /"_?messageId"\s*:\s*"([^"]+)"/gu

/**
 * Finds the message ids in the raw responses of an event's execution details. The API does not guarantee that they are
 * there; if they are, operators need not look them up elsewhere.
 */
const messageIdsIn = (event: ActivityNotification): ReadonlyArray<string> => {
  const ids = new Set<string>()
  for (const job of event.jobs ?? []) {
    if (job.type !== "in_app") continue
    for (const { raw } of job.executionDetails) {
      for (const [, id] of (raw ?? "").matchAll(idKey)) if (id !== undefined) ids.add(id)
    }
  }
  return Array.from(ids)
}

const on = onScreen("Messages")
const unless = unlessScreen("Messages")

/** Why nothing can be done with messages; `undefined` where there are some. */
export const noMessage = unless((screen, state) =>
  selected(screen, state.facts).length === 0
    ? `no known messages yet; ${keyFor(state, "add message ids")} adds ids`
    : undefined
)

const inProgress = unless((screen, state) =>
  selected(screen, state.facts).some(({ id }) => screen.sending.has(id)) ? "its mark is in progress" : undefined
)

const idsOf = (state: State, { subscriberId }: MessagesScreen) =>
  messagesOf(state.facts, subscriberId).map(({ id }) => id)

const marking = (key: string, markAs: MarkAs, hint: number): Action => ({
  id: `mark as ${markAs}`,
  keys: [key],
  name: markAs,
  description: `Mark the selected messages, or the one under the cursor, as ${markAs}.`,
  places: ["Messages"],
  hint,
  writes: true,
  unavailable: noMessage,
  run: on((state, screen) => mark(state, screen, markAs))
})

const subscriberHere = (state: State): string | undefined => {
  const screen = topScreen(state)
  if (screen._tag === "Subscriber") return screen.subscriberId
  return eventHere(state)?.subscriber?.subscriberId
}

/** The actions on in-app messages. */
const actions = placed("Messages", [
  {
    id: "messages",
    keys: ["m"],
    description: "The work list of this subscriber's in-app messages.",
    places: ["Events", "Event", "Subscriber"],
    hint: 52,
    word: "messages",
    argument: "SUBSCRIBER",
    unavailable: (state, argument) =>
      argument === "" && subscriberHere(state) === undefined ? noSubscriber(state) : undefined,
    run: (state, { argument }) => {
      const subscriberId = argument === "" ? subscriberHere(state) : argument
      if (subscriberId === undefined) return stay(state)
      const event = eventHere(state)
      const ids = argument === "" && event !== undefined ? messageIdsIn(event) : []
      const facts = addMessageIds(state.facts, subscriberId, ids, { source: "an execution detail", at: state.now })
      return stay(openMessages({ ...state, facts }, subscriberId))
    }
  },
  marking("r", "read", 10),
  marking("R", "unread", 60),
  marking("s", "seen", 12),
  marking("S", "unseen", 62),
  {
    id: "select message",
    keys: ["space"],
    name: "select",
    description: "Select the message, or the range since V.",
    hint: 20,
    unavailable: noMessage,
    run: on((state, screen) => stay(putScreen(state, toggleSelected(screen, idsOf(state, screen)))))
  },
  {
    id: "select messages",
    keys: ["V"],
    description: "Start a range here; move, then press space to select all of it.",
    unavailable: noMessage,
    run: on((state, screen) => stay(putScreen(state, toggleRange(screen))))
  },
  {
    id: "select all messages",
    keys: ["*"],
    description: "Select all messages of the list, or none.",
    unavailable: noMessage,
    run: on((state, screen) => stay(putScreen(state, toggleAllSelected(screen, idsOf(state, screen)))))
  },
  {
    id: "add message ids",
    keys: ["i"],
    name: "add ids",
    description: "Type or paste message ids: the API cannot list messages.",
    hint: 14,
    run: (state) => stay({ ...state, overlay: { _tag: "Prompt", purpose: "messages", field: makeField() } })
  },
  {
    id: "drop from the list",
    keys: ["d"],
    description:
      "Remove the selected messages, or the one under the cursor, from this list; nothing changes on the service.",
    unavailable: (state, argument) => noMessage(state, argument) ?? inProgress(state, argument),
    run: on(drop)
  },
  {
    id: "send again",
    keys: ["x"],
    description: "Retry the mark only for messages that failed or were not tried.",
    hint: 45,
    writes: true,
    retries: true,
    unavailable: unless((screen, state) =>
      unfinishedHere(state, screen).length === 0 ? "no messages failed or were left out" : undefined
    ),
    run: on(sendAgain)
  },
  {
    id: "undo",
    keys: ["u"],
    description: "Undo the last mark where it was applied, and show what still differs.",
    hint: 40,
    writes: true,
    unavailable: unless((screen) => (screen.last === undefined ? "there is nothing to undo" : undefined)),
    run: on(undo)
  }
])

/** The work list of messages of one subscriber. */
export const messagesKind: ScreenKind<MessagesScreen> = {
  title: ({ subscriberId }) => `Messages ${subscriberId}`,
  actions,
  view: messagesView,
  list: {
    length: ({ facts }, { subscriberId }) => messagesOf(facts, subscriberId).length,
    height: (_, { columns, height }) =>
      split(columns).pane > 0 ? Math.max(1, height - listHead) : listRows(height - listHead)
  },
  whole: (state, screen, columns) => {
    const message = messagesOf(state.facts, screen.subscriberId)[screen.cursor.at]
    return message === undefined ? undefined : [`message ${message.id}`, detail(message, screen, state, columns)]
  },
  paste: addIds
}

import { keyFor, placed } from "../../actions/Action.ts"
import { masked } from "../../state/Masking.ts"
import { signOf, toneOf } from "../../view/Result.ts"
import { span } from "../../view/Row.ts"
import { eventKey } from "@signalbox/operator/reading/EventKey"
import { withCursorAt } from "../Cursor.ts"
import { stepRoom } from "../Layout.ts"
import type { ScreenKind } from "../ScreenKind.ts"
import { eventView } from "./EventView.ts"
import { explanation } from "./Explanation.ts"
import { type Diagnosis, diagnose } from "@signalbox/operator/diagnosis/Diagnosis"
import { type FailureGroup, failuresOf, groupDiagnosis } from "@signalbox/operator/diagnosis/FailureGroup"
import { currentLine, type EventScreen, linesOf, make as makeEvent, nextFailure } from "./EventScreen.ts"
import { jsonText, make as makeText } from "../text/TextScreen.ts"
import { current, failuresIn, groupsOf, jobShown, visible } from "../events/EventsScreen.ts"
import type { FixOutcome, FixQueue } from "../../state/FixQueue.ts"
import { isDone, load } from "./EventUpdate.ts"
import { openForm } from "../Drafts.ts"
import { type FixReach, prefillsOf } from "@signalbox/operator/diagnosis/FixReach"
import { eventResult } from "@signalbox/operator/status/Status"
import { reachIn } from "./CredentialChange.ts"
import type { ProviderChannel } from "../credentials/ProviderFields.ts"
import { make as makeSubscriber } from "../subscriber/SubscriberScreen.ts"
import { listOf, pushScreen, putScreen, topScreen } from "../../state/ScreenStack.ts"
import { type State, stay, type Transition, withCommands, withNotice } from "../../state/State.ts"
import type { ActivityNotification } from "@signalbox/core/Records"
import { onScreen, unlessScreen, whileMasked } from "../../actions/OnScreen.ts"
import { stampOf } from "../../view/Times.ts"

const on = onScreen("Event")
const unless = unlessScreen("Event")

/** The event that the top screen is about. */
export const eventHere = (state: State): ActivityNotification | undefined => {
  const screen = topScreen(state)
  if (screen._tag === "Events") return current(screen)
  return screen._tag === "Event" ? screen.event : undefined
}

const fold = (screen: EventScreen, open: boolean | undefined): EventScreen => {
  const line = currentLine(screen)
  if (line === undefined) return screen
  const unfolded = new Set(screen.unfolded)
  if (open ?? !unfolded.has(line.job._id)) unfolded.add(line.job._id)
  else unfolded.delete(line.job._id)
  const next = { ...screen, unfolded }
  const at = linesOf(next).findIndex((other) => other._tag === "Job" && other.job._id === line.job._id)
  return line._tag === "Detail" && !unfolded.has(line.job._id) ? { ...next, cursor: { ...screen.cursor, at } } : next
}

const toFailure = (state: State, screen: EventScreen, step: 1 | -1): Transition =>
  stay(putScreen(state, withCursorAt(screen, nextFailure(screen, step) ?? screen.cursor.at)))

const openText = (state: State, title: string, value: unknown): Transition =>
  stay(pushScreen(state, (id) => makeText(id, title, jsonText(value))))

/** The event next to this one in the list that it was opened from; the list's cursor moves too. */
const neighbour = (state: State, screen: EventScreen, step: 1 | -1): Transition => {
  const list = state.screens.at(-2)
  if (list?._tag !== "Events") return stay(withNotice(state, "this event was not opened from a list", "warning"))
  const at = list.cursor.at + step
  const event = visible(list)[at]
  if (event === undefined)
    return stay(
      withNotice(state, step === 1 ? "that was the last loaded event" : "that was the first event", "warning")
    )
  const moved = putScreen(state, { ...list, cursor: { ...list.cursor, at } })
  return stay(putScreen(moved, makeEvent(screen.id, event, list.asOf ?? state.now, { job: jobShown(list, event) })))
}

/** Why there is nothing to act on: an empty list has no event under its cursor. */
export const noEvent = (state: State): string | undefined =>
  eventHere(state) === undefined ? "there is no event here" : undefined

/** Why there is no subscriber to act on. */
export const noSubscriber = (state: State): string | undefined =>
  noEvent(state) ??
  (eventHere(state)?.subscriber === undefined ? "the event has no subscriber with an external id" : undefined)

/** The diagnosis of what is under the cursor: a job of the event, or the failure that the list shows of an event. */
const diagnosisHere = (state: State): Diagnosis | undefined => {
  const screen = topScreen(state)
  const event = eventHere(state)
  if (event === undefined) return undefined
  if (screen._tag === "Event") return diagnose(event, currentLine(screen)?.job)
  const [failure] = screen._tag === "Events" ? failuresIn(screen, event) : []
  return failure?.diagnosis ?? diagnose(event)
}

/** The group of a failure under the cursor that credentials fix, with the subscribers that they may help. */
const groupHere = (
  state: State,
  diagnosis: Diagnosis | undefined,
  event = eventHere(state)
): { readonly group: FailureGroup; readonly reach: FixReach } | undefined => {
  const list = listOf(state)
  if (event === undefined || list === undefined || diagnosis?.prefill === undefined) return undefined
  const failure = failuresOf(event).find((one) => one.diagnosis.job === diagnosis.job)
  const group = groupsOf(list).find(({ cause }) => cause === failure?.cause)
  return group === undefined ? undefined : { group, reach: reachIn(group, list.events, state.facts) }
}

/** The name of the form's key here: for how many subscribers it fixes the cause, as in the list of causes. */
const fixName = (state: State): string => {
  const diagnosis = diagnosisHere(state)
  if (diagnosis?.prefill === undefined) return "form"
  const count = groupHere(state, diagnosis)?.reach.open.length ?? 1
  return count < 2 ? "fix" : `fix ${count}`
}

/**
 * The keys to a cause that credentials fix, for a failure of the list that they do not fix: another one of its event,
 * else the most frequent one; absent without such a failure.
 */
const fixableCause = (state: State): string | undefined => {
  const screen = topScreen(state)
  const event = eventHere(state)
  if (screen._tag !== "Events" || event === undefined) return undefined
  const groups = groupsOf(screen)
  const fixable = groups.filter(({ credentials }) => credentials === "cause")
  const group = fixable.find(({ cause }) => failuresOf(event).some((failure) => failure.cause === cause)) ?? fixable[0]
  const at = group === undefined ? -1 : groups.indexOf(group)
  if (group === undefined) return undefined
  const keys = at < 9 ? String(at + 1) : `:cause ${at + 1}`
  const here =
    eventResult(event).kind === "failed"
      ? "Credentials do not fix this failure. They"
      : "Nothing failed here. Credentials"
  return `${here} fix cause ${at + 1} (${group.title}): ${keyFor(state, "back")}, ${keys}, ${keyFor(state, "fix credentials")}.`
}

/** The channel of the step, where it takes credentials of the subscriber. */
const channelOf = (diagnosis: Diagnosis | undefined): ProviderChannel | undefined => {
  const type = diagnosis?.job.type
  return type === "chat" ? "chat" : type === "push" ? "push" : undefined
}

/** The subscribers whose events failed like this one, if credentials fix the cause. Keeps earlier outcomes. */
const fixQueueFor = (
  state: State,
  event: ActivityNotification,
  diagnosis: Diagnosis | undefined
): FixQueue | undefined => {
  const subscriberId = event.subscriber?.subscriberId
  const here = groupHere(state, diagnosis, event)
  if (here === undefined || subscriberId === undefined || diagnosis?.prefill === undefined) return undefined
  const { group, reach } = here
  const outcomes = state.fix?.cause === group.cause ? state.fix.outcomes : new Map<string, FixOutcome>()
  // Those that were worked through stay in the queue: it shows their outcomes.
  const wanted = reach.subscribers.filter((id) => reach.open.includes(id) || outcomes.has(id))
  const others = wanted.filter((id) => id !== subscriberId)
  const subscribers = wanted.includes(subscriberId) ? [subscriberId, ...others] : others
  if (others.length === 0) return undefined
  return {
    cause: group.cause,
    title: group.title,
    providerId: diagnosis.prefill.providerId,
    channel: channelOf(diagnosis),
    reason: groupDiagnosis(group)?.cause ?? diagnosis.cause,
    subscribers,
    integrations: new Map(
      Array.from(prefillsOf(group)).flatMap(([id, { integrationIdentifier }]) =>
        integrationIdentifier === undefined ? [] : [[id, integrationIdentifier]]
      )
    ),
    outcomes
  }
}

/** Opens the form for a failure of an event, with the other subscribers that have its cause as a queue. */
export const openFix = (
  state: State,
  event: ActivityNotification,
  diagnosis: Diagnosis | undefined,
  reason = diagnosis?.cause
): Transition => {
  if (event.subscriber === undefined) return stay(state)
  const { integrationIdentifier, providerId } = diagnosis?.prefill ?? {}
  return stay(
    openForm({ ...state, fix: fixQueueFor(state, event, diagnosis) }, event.subscriber.subscriberId, {
      ...(providerId === undefined ? {} : { providerId }),
      ...(integrationIdentifier === undefined ? {} : { integrationIdentifier }),
      ...(reason === undefined ? {} : { reason }),
      channel: channelOf(diagnosis)
    })
  )
}

/** The actions on one event, also from the list. */
const actions = placed("Event", [
  {
    id: "open line",
    keys: ["enter"],
    name: "open",
    description: "Unfold the job, or show the raw text of the execution detail.",
    hint: 10,
    unavailable: unless((screen) => {
      const line = currentLine(screen)
      if (line === undefined) return "the event has no jobs"
      return line._tag === "Detail" && (line.detail.raw ?? "") === ""
        ? "this execution detail has no raw text"
        : undefined
    }),
    run: on((state, screen) => {
      const line = currentLine(screen)
      if (line?._tag !== "Detail") return stay(putScreen(state, fold(screen, undefined)))
      return openText(state, `raw of "${line.detail.detail}"`, line.detail.raw ?? "")
    })
  },
  {
    id: "unfold",
    keys: ["l", "right"],
    description: "Show the execution details of the job.",
    run: on((state, screen) => stay(putScreen(state, fold(screen, true))))
  },
  {
    id: "fold",
    keys: ["h", "left"],
    description: "Hide the execution details of the job.",
    run: on((state, screen) => stay(putScreen(state, fold(screen, false))))
  },
  {
    id: "next failure",
    keys: ["n"],
    name: "failure",
    description: "To the next failed job or execution detail.",
    hint: 30,
    unavailable: unless((screen) => (nextFailure(screen, 1) === undefined ? "nothing failed here" : undefined)),
    run: on((state, screen) => toFailure(state, screen, 1))
  },
  {
    id: "previous failure",
    keys: ["N"],
    description: "To the previous failed job or execution detail.",
    unavailable: unless((screen) => (nextFailure(screen, -1) === undefined ? "nothing failed here" : undefined)),
    run: on((state, screen) => toFailure(state, screen, -1))
  },
  {
    id: "next event",
    keys: ["]"],
    description: "The event below in the list.",
    run: on((state, screen) => neighbour(state, screen, 1))
  },
  {
    id: "previous event",
    keys: ["["],
    description: "The event above in the list.",
    run: on((state, screen) => neighbour(state, screen, -1))
  },
  {
    id: "payload",
    keys: ["p"],
    description: "The payload that the event was triggered with.",
    places: ["Events", "Event"],
    hint: 40,
    unavailable: (state) =>
      noEvent(state) ?? (eventHere(state)?.payload === undefined ? "the event has no payload" : undefined),
    run: (state) => openText(state, "payload", eventHere(state)?.payload)
  },
  {
    id: "whole event as JSON",
    keys: ["J"],
    description: "The whole record, exactly as the service sent it.",
    places: ["Events", "Event"],
    unavailable: noEvent,
    run: (state) => openText(state, "event", eventHere(state))
  },
  {
    id: "refresh event",
    keys: ["r"],
    name: "refresh",
    description: "Read this event again.",
    hint: 60,
    retries: true,
    unavailable: unless((screen) => (screen.loading ? "it is being read" : undefined)),
    run: on(load)
  },
  {
    id: "fix credentials",
    keys: ["c"],
    name: "fix",
    nameHere: fixName,
    description:
      "Open the credentials form with the provider of the failed step filled in, for the cause that the list shows or the step under the cursor; the form continues with other subscribers that have the same cause.",
    places: ["Events", "Event"],
    hint: 14,
    writes: true,
    unavailable: noSubscriber,
    run: (state) => {
      const event = eventHere(state)
      if (event === undefined) return stay(state)
      const diagnosis = diagnosisHere(state)
      const reason =
        diagnosis?.prefill === undefined ? (fixableCause(state) ?? diagnosis?.credentialsNote) : diagnosis.cause
      return openFix(state, event, diagnosis, reason)
    }
  },
  {
    id: "subscriber",
    keys: ["s"],
    description: "Show what is known about the subscriber, with source and age.",
    places: ["Events", "Event"],
    hint: 50,
    word: "subscriber",
    argument: "ID",
    unavailable: (state, argument) => (argument === "" ? noSubscriber(state) : undefined),
    run: (state, { argument }) => {
      const subscriberId = argument === "" ? eventHere(state)?.subscriber?.subscriberId : argument
      return subscriberId === undefined
        ? stay(state)
        : stay(pushScreen(state, (id) => makeSubscriber(id, subscriberId)))
    }
  },
  {
    id: "trigger again",
    keys: ["T"],
    description: "Demo only: trigger the same workflow for the same subscriber again. The API has no such operation.",
    places: ["Events", "Event"],
    hint: 55,
    needsNoHint: ({ connection }) => connection.kind !== "demo",
    unavailable: (state) =>
      state.connection.kind === "demo"
        ? (whileMasked(state) ?? noSubscriber(state))
        : "the API of the service has no trigger operation here; only the demo has",
    run: (state) => {
      const event = eventHere(state)
      return event === undefined ? stay(state) : withCommands(state, { _tag: "TriggerAgain", event })
    }
  }
])

/** One event. */
export const eventKind: ScreenKind<EventScreen> = {
  title: ({ event }) => event.template?.name ?? eventKey(event),
  status: ({ asOf, event, problem }, state, isBrief) => {
    const { kind, word } = eventResult(event)
    return [
      span(`${signOf(kind, state.settings.glyphs)} ${word}`, toneOf(kind)),
      span(isBrief ? " " : `  as of ${stampOf(state, asOf)} `, problem === undefined ? "dim" : "warning")
    ]
  },
  actions,
  view: eventView,
  list: {
    length: (_, screen) => linesOf(screen).length,
    height: (screen, area) => stepRoom(area, linesOf(screen).length)
  },
  whole: (state, screen, columns) => [
    "explanation",
    explanation(screen, state, columns, Number.POSITIVE_INFINITY, false)
  ],
  masked: (screen) => ({ ...screen, event: masked(screen.event) }),
  // An event whose jobs are all done no longer changes.
  refresh: (state, screen) => (isDone(screen.event) ? stay(state) : load(state, screen)),
  stopped: (screen) => ({ ...screen, loading: false, following: 0 })
}

import type { ActivityNotification } from "@signalbox/core/Records"
import type { Problem } from "@signalbox/operator/report/ProblemReport"
import { findScreen, pushScreen, putScreen, topScreen } from "../../state/ScreenStack.ts"
import { type State, stay, type Transition, withCommands, withNotice } from "../../state/State.ts"
import { eventResult, isFinal, jobResult } from "@signalbox/operator/status/Status"
import { type EventScreen, hasFailed, make } from "./EventScreen.ts"

/** Starts reading the event again; an event that is being read is left alone. */
export const load = (state: State, screen: EventScreen): Transition =>
  screen.loading
    ? stay(state)
    : withCommands(putScreen(state, { ...screen, loading: true }), {
        _tag: "LoadEvent",
        screenId: screen.id,
        event: screen.event
      })

/** Shows the reloaded event. Keeps folded jobs folded, and unfolds newly failed ones. */
export const loaded = (state: State, screenId: number, event: ActivityNotification | undefined): Transition => {
  const screen = findScreen(state, screenId, "Event")
  if (screen === undefined) return stay(state)
  if (event === undefined) {
    return stay(
      withNotice(putScreen(state, { ...screen, loading: false }), "the service no longer lists this event", "warning")
    )
  }
  const failedBefore = new Set((screen.event.jobs ?? []).filter(hasFailed).map(({ _id }) => _id))
  const failedNow = (event.jobs ?? []).filter(hasFailed).map(({ _id }) => _id)
  const unfolded = new Set([...screen.unfolded, ...failedNow.filter((id) => !failedBefore.has(id))])
  const next: EventScreen = { ...screen, event, unfolded, asOf: state.now, loading: false, problem: undefined }
  return follow(putScreen(state, next), next)
}

/** Milliseconds between two reads of an event with unfinished jobs. */
const followDelay = 400

/** How many times an event with unfinished jobs is reloaded automatically. */
const followTimes = 25

/** Known statuses of jobs that have not finished. */
const ongoing: ReadonlySet<string> = new Set(["pending", "queued", "running", "delayed"])

/** Whether the event can no longer change: every job is done, and the event itself is too. */
export const isDone = (event: ActivityNotification): boolean =>
  isFinal(eventResult(event)) &&
  (event.jobs ?? []).every((job) => isFinal(jobResult(job)) && !ongoing.has(job.status.toLowerCase()))

const follow = (state: State, screen: EventScreen): Transition =>
  screen.following === 0 || isDone(screen.event)
    ? stay(state)
    : withCommands(putScreen(state, { ...screen, following: screen.following - 1, loading: true }), {
        _tag: "LoadEvent",
        screenId: screen.id,
        event: screen.event,
        delay: followDelay
      })

/** Keeps what is shown and says what went wrong. */
export const failed = (state: State, screenId: number, problem: Problem): Transition => {
  const screen = findScreen(state, screenId, "Event")
  return screen === undefined ? stay(state) : stay(putScreen(state, { ...screen, loading: false, problem }))
}

/** Opens the event that was looked for. */
export const found = (state: State, transactionId: string, event: ActivityNotification | undefined): Transition => {
  if (event === undefined) {
    return stay(withNotice(state, `the service lists no event with the transaction id ${transactionId}`, "warning"))
  }
  const opened = pushScreen(state, (id) => make(id, event, state.now, { following: followTimes }))
  const noticed = withNotice(opened, `triggered again as ${transactionId}; this is the new event`, "ok")
  const screen = topScreen(noticed)
  return screen._tag === "Event" ? follow(noticed, screen) : stay(noticed)
}

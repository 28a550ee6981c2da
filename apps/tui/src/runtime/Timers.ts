import { untilConcealed } from "../screens/SecretTimer.ts"
import type { State } from "../state/State.ts"
import type { Clock } from "./Clock.ts"
import type { Store } from "./Store.ts"
import { untilElapsed } from "../state/Feedback.ts"

/** How often ages on the screen are brought up to date: those of rows are minutes, that of a list that is followed seconds. */
const ageMilliseconds = 60_000
const liveAgeMilliseconds = 1_000

/** A screen reader would read every new age: only while the list is followed, once a minute. */
const agesOf = ({ interval, settings }: State): number | undefined => {
  if (settings.screenReader) return interval === 0 ? undefined : ageMilliseconds
  return interval === 0 ? ageMilliseconds : liveAgeMilliseconds
}

/**
 * When the screen has to say something else although nothing happened: the ages of events, the end of a wait, the seconds
 * until a secret is hidden.
 */
const nextTick = (state: State): number | undefined => {
  const left = untilConcealed(state)
  // The seconds left are on the screen: the next whole one, or the end.
  const conceal = left === undefined ? undefined : left % 1000 || Math.min(left, 1000)
  const due = [conceal, untilElapsed(state), agesOf(state)].filter((milliseconds) => milliseconds !== undefined)
  return due.length === 0 ? undefined : Math.min(...due)
}

/** Runs what is due again and again; `restart` counts the time anew. */
const repeating = (clock: Clock, run: () => void) => {
  let cancel: () => void = () => {}
  const stop = () => cancel()
  const restart = (milliseconds: number) => {
    cancel()
    cancel = clock.after(milliseconds, run)
  }
  return { stop, restart }
}

/**
 * Lets time pass for a store: ticks, so that ages stay true and revealed secrets are hidden again, and the refresh at
 * the interval that the state holds. The returned function ends it.
 */
export const startTimers = (store: Store, clock: Clock): (() => void) => {
  const ticks = repeating(clock, () => store.dispatch({ _tag: "Tick" }))
  const refreshes = repeating(clock, () => {
    refreshes.restart(store.get().interval * 1000)
    store.dispatch({ _tag: "RefreshDue" })
  })
  let interval = 0
  const follow = () => {
    const state = store.get()
    const next = nextTick(state)
    if (next === undefined) ticks.stop()
    else ticks.restart(next)
    if (state.interval === interval) return
    interval = state.interval
    if (interval > 0) refreshes.restart(interval * 1000)
    else refreshes.stop()
  }
  const unsubscribe = store.subscribe(follow)
  follow()
  return () => {
    unsubscribe()
    ticks.stop()
    refreshes.stop()
  }
}

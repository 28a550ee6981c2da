import { untilConcealed } from "../screens/SecretTimer.ts"
import type { State } from "../state/State.ts"
import type { Clock } from "./Clock.ts"
import type { Store } from "./Store.ts"
import { untilElapsed } from "../state/Feedback.ts"

/** How often ages on the screen are brought up to date while the list is followed; a screen reader would read each. */
const ageMilliseconds = 1_000
const spokenAgeMilliseconds = 60_000

/**
 * When the screen has to say something else although nothing happened; `undefined` when it never does: without a refresh,
 * a wait or a secret on the screen, nothing is drawn.
 */
const nextTick = (state: State): number | undefined => {
  const left = untilConcealed(state)
  // The seconds left are on the screen: the next whole one, or the end.
  const conceal = left === undefined ? undefined : left % 1000 || Math.min(left, 1000)
  const ages = state.interval === 0 ? undefined : state.settings.screenReader ? spokenAgeMilliseconds : ageMilliseconds
  const due = [conceal, untilElapsed(state), ages].filter((milliseconds) => milliseconds !== undefined)
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

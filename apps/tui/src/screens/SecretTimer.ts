import { revealMilliseconds, type Revealing } from "../state/Revealing.ts"
import type { Screen, State } from "../state/State.ts"

const isRevealing = (screen: Screen): screen is Screen & Revealing & { readonly revealedUntil: number } =>
  "revealedUntil" in screen && screen.revealedUntil !== undefined

/** Milliseconds until the next secrets are hidden; `undefined` when none are shown. */
export const untilConcealed = (state: State): number | undefined => {
  const left = state.screens.filter(isRevealing).map(({ revealedUntil }) => revealedUntil - state.now)
  return left.length === 0 ? undefined : Math.max(0, Math.min(...left))
}

const conceal = (state: State, isDue: (until: number) => boolean): State =>
  state.screens.some((screen) => isRevealing(screen) && isDue(screen.revealedUntil))
    ? {
        ...state,
        screens: state.screens.map((screen) =>
          isRevealing(screen) && isDue(screen.revealedUntil) ? { ...screen, revealedUntil: undefined } : screen
        )
      }
    : state

/** Hides the secrets whose time is over, on every screen; also when the clock was set back. */
export const concealDue = (state: State): State =>
  conceal(state, (until) => until <= state.now || until - state.now > revealMilliseconds)

/** Hides all secrets at once: for leaving the terminal to others. */
export const concealAll = (state: State): State => conceal(state, () => true)

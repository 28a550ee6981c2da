import { popScreen, pushScreen, topScreen } from "../state/ScreenStack.ts"
import { type Draft, type State, withNotice } from "../state/State.ts"
import {
  type CredentialsScreen,
  isChanged,
  make as makeForm,
  type Prefill,
  valueOf
} from "./credentials/CredentialsScreen.ts"
import { make as makeMessages } from "./messages/MessagesScreen.ts"

const isWorthKeeping = (screen: Draft): boolean =>
  screen._tag === "Credentials"
    ? screen.sending || isChanged(screen)
    : screen.last !== undefined || screen.sending.size > 0 || screen.selection.size > 0 || screen.problem !== undefined

const providerOf = (screen: Draft): string | undefined =>
  screen._tag === "Credentials" ? valueOf(screen, "providerId") : undefined

/** Whether one replaces the other: forms of one provider, work lists of one subscriber. */
const isSame = (a: Draft, b: Draft): boolean =>
  a._tag === b._tag && a.subscriberId === b.subscriberId && providerOf(a) === providerOf(b)

/** Secrets that were shown for a while are not shown when the screen comes back. */
const concealed = (screen: Draft): Draft =>
  screen._tag === "Credentials" ? { ...screen, revealedUntil: undefined } : screen

/** Closes the top screen, except the first one; its unsaved work is kept until it is opened again. */
export const closeTop = (state: State): State => {
  const screen = topScreen(state)
  if (screen._tag !== "Credentials" && screen._tag !== "Messages") return popScreen(state)
  const drafts = state.drafts.filter((other) => !isSame(other, screen))
  return popScreen({ ...state, drafts: isWorthKeeping(screen) ? [...drafts, concealed(screen)] : drafts })
}

const reopen = (state: State, screen: Draft): State => ({
  ...state,
  drafts: state.drafts.filter((other) => other !== screen),
  screens: [...state.screens, screen]
})

/** Opens the form of a subscriber; with its kept input, unless the prefill is for another provider. */
export const openForm = (state: State, subscriberId: string, prefill: Prefill = {}): State => {
  const { integrationIdentifier, providerId } = prefill
  const draft = state.drafts.findLast(
    (screen): screen is CredentialsScreen =>
      screen._tag === "Credentials" &&
      screen.subscriberId === subscriberId &&
      (providerId === undefined || valueOf(screen, "providerId") === providerId) &&
      (integrationIdentifier === undefined || valueOf(screen, "integrationIdentifier") === integrationIdentifier)
  )
  if (draft === undefined) return pushScreen(state, (id) => makeForm(id, subscriberId, prefill))
  const opened = reopen(state, draft)
  return draft.sending
    ? withNotice(opened, "this form is being sent")
    : withNotice(opened, "your earlier input is restored; ctrl-u empties a field")
}

/** Opens the work list of a subscriber, as it was left. */
export const openMessages = (state: State, subscriberId: string): State => {
  const draft = state.drafts.findLast((screen) => screen._tag === "Messages" && screen.subscriberId === subscriberId)
  return draft === undefined ? pushScreen(state, (id) => makeMessages(id, subscriberId)) : reopen(state, draft)
}

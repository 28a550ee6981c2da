import { pushScreen, type State, topScreen, withNotice } from "../../state/State.ts"
import { type CredentialsScreen, make, type Prefill, valueOf } from "./CredentialsScreen.ts"
import { allFields } from "./ProviderFields.ts"

/** What was typed into a form that was left without being saved. */
export type Draft = CredentialsScreen["values"]

const isWorthKeeping = (screen: CredentialsScreen): boolean =>
  screen.saved === undefined && allFields.some((field) => valueOf(screen, field) !== "")

/** Keeps what is typed into the form on top, for when the form of the same subscriber is opened again. */
export const keepDraft = (state: State): State => {
  const screen = topScreen(state)
  if (screen._tag !== "Credentials") return state
  const drafts = new Map(state.drafts)
  if (isWorthKeeping(screen)) drafts.set(screen.subscriberId, screen.values)
  else drafts.delete(screen.subscriberId)
  return { ...state, drafts }
}

/** Opens the form of a subscriber; with what was typed before, unless that was for another provider. */
export const openForm = (state: State, subscriberId: string, prefill: Prefill = {}): State => {
  const opened = pushScreen(state, (id) => make(id, subscriberId, prefill))
  const draft = state.drafts.get(subscriberId)
  const screen = topScreen(opened)
  if (draft === undefined || screen._tag !== "Credentials") return opened
  const restored = { ...screen, values: draft }
  const wanted = prefill.providerId ?? valueOf(restored, "providerId")
  return valueOf(restored, "providerId") === wanted
    ? withNotice(
        { ...opened, screens: [...state.screens, restored] },
        "what was typed here before is back; ctrl-u empties a field"
      )
    : opened
}

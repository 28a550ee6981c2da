import { credentialsKey } from "@signalbox/operator/diagnosis/FixReach"
import type { Subscriber } from "@signalbox/core/Records"
import type { Key } from "../../keyboard/Key.ts"
import { keyFor } from "../../actions/Action.ts"
import { edit, insert, make as makeField } from "../../keyboard/TextField.ts"
import { ofIntegration } from "@signalbox/operator/diagnosis/Rule"
import { fromUpsert } from "../../state/Facts.ts"
import type { Problem } from "@signalbox/operator/report/ProblemReport"
import { findScreen, putScreen, topScreen } from "../../state/ScreenStack.ts"
import { type State, stay, type Transition, withCommands, withNotice } from "../../state/State.ts"
import { type FixQueue, nextOf, valuesIn, withOutcome } from "../../state/FixQueue.ts"
import { closeTop, openForm } from "../Drafts.ts"
import { confirmWrite } from "../ConfirmWrite.ts"
import { errors, inputOf, suggestions } from "./CredentialsForm.ts"
import { type CredentialsScreen, type FormField, shownFields, valueOf } from "./CredentialsScreen.ts"
import { type CredentialField, fieldLabel } from "./ProviderFields.ts"
import type { CallFacts } from "../../state/Requests.ts"

const put = (state: State, screen: CredentialsScreen): Transition => stay(putScreen(state, screen))

/** Moves the focus by fields, going round. */
export const focusBy = (screen: CredentialsScreen, step: 1 | -1): CredentialsScreen => {
  const fields = shownFields(screen)
  const at = fields.indexOf(screen.focus)
  return { ...screen, focus: fields[(at + step + fields.length) % fields.length] ?? "providerId" }
}

/** Completes the provider under edit, else goes to the next field. */
export const completeOrNext = (screen: CredentialsScreen): CredentialsScreen => {
  const typed = valueOf(screen, "providerId")
  const first = screen.focus === "providerId" ? suggestions(typed, screen.channel)[0] : undefined
  if (first === undefined || first === typed || typed === "") return focusBy(screen, 1)
  return { ...screen, values: { ...screen.values, providerId: makeField(first) } }
}

/** A key that is typed into the field in focus. */
export const type = (state: State, screen: CredentialsScreen, key: Key): Transition => {
  const field = edit(screen.values[screen.focus], key)
  if (field === undefined || screen.sending) return stay(state)
  return put(
    { ...state, notice: undefined },
    { ...screen, values: { ...screen.values, [screen.focus]: field }, saved: undefined }
  )
}

const isCredential = (field: FormField): field is CredentialField =>
  field !== "providerId" && field !== "integrationIdentifier"

/** The form with the value that was pasted for its subscriber, unless something else was typed. */
const filled = (screen: CredentialsScreen, { pasted }: FixQueue): CredentialsScreen => {
  const value = pasted?.values.get(screen.subscriberId)
  return pasted === undefined || value === undefined || valueOf(screen, pasted.field) !== ""
    ? screen
    : { ...screen, values: { ...screen.values, [pasted.field]: makeField(value) }, saved: undefined }
}

/** A paste into the field in focus, or of values for the subscribers of the queue; lines become spaces, which separate device tokens. */
export const paste = (state: State, screen: CredentialsScreen, text: string): Transition => {
  if (screen.sending) return stay(state)
  const { fix } = state
  const values = fix === undefined ? undefined : valuesIn(text, fix)
  if (fix !== undefined && values !== undefined && isCredential(screen.focus)) {
    const queue = { ...fix, pasted: { field: screen.focus, values } }
    const notice = `values for ${values.size} of ${fix.subscribers.length} subscribers; each form has its own`
    return put(withNotice({ ...state, fix: queue }, notice, "ok"), filled(screen, queue))
  }
  const field = insert(screen.values[screen.focus], text.trim().replaceAll(/\s+/gu, " "))
  return put(state, { ...screen, values: { ...screen.values, [screen.focus]: field }, saved: undefined })
}

const labelOf = (field: FormField): string =>
  field === "providerId" ? "Provider" : field === "integrationIdentifier" ? "Integration" : fieldLabel[field]

/** Sends the form, or goes to the first field that keeps it from being sent. */
export const send = (state: State, screen: CredentialsScreen): Transition => {
  const [wrong] = errors(screen)
  const input = inputOf(screen)
  if (wrong !== undefined || input === undefined) {
    const focus = wrong ?? "providerId"
    return stay(
      withNotice(putScreen(state, { ...screen, focus }), `not sent: ${labelOf(focus)} needs attention`, "warning")
    )
  }
  return confirmWrite(state, {
    question: `change the ${input.providerId} credentials of ${screen.subscriberId}${ofIntegration(input.integrationIdentifier)}? This cannot be taken back from here.`,
    typed: screen.subscriberId,
    run: (now) =>
      withCommands(putScreen(now, { ...screen, sending: true, problem: undefined, saved: undefined }), {
        _tag: "UpsertCredentials",
        screenId: screen.id,
        subscriberId: screen.subscriberId,
        input
      })
  })
}

/** Opens the form for the next subscriber of the queue; one that was neither sent nor refused is skipped. */
export const nextSubscriber = (state: State, screen: CredentialsScreen): Transition => {
  const { fix } = state
  const next = fix === undefined ? undefined : nextOf(fix, screen.subscriberId)
  if (fix === undefined || next === undefined) return stay(state)
  const isOpen = screen.saved === undefined && !screen.sending && screen.problem === undefined
  const noted = isOpen ? withOutcome(fix, screen.subscriberId, "skipped") : fix
  const { channel, reason } = fix
  // Where the cause names no provider, the one that was sent before is likely to be the next one, too.
  const providerId = fix.providerId ?? (screen.saved === undefined ? undefined : valueOf(screen, "providerId"))
  const integrationIdentifier = fix.integrations.get(next)
  const opened = openForm({ ...closeTop(state), fix: noted }, next, {
    ...(providerId === undefined ? {} : { providerId }),
    ...(integrationIdentifier === undefined ? {} : { integrationIdentifier }),
    reason,
    channel
  })
  const form = topScreen(opened)
  return stay(form._tag === "Credentials" && noted !== undefined ? putScreen(opened, filled(form, noted)) : opened)
}

/** Learns the subscriber from the response. The form stays open and says what the service responded. */
export const saved = (state: State, screenId: number, subscriber: Subscriber, call: CallFacts): Transition => {
  const fix = withOutcome(state.fix, subscriber.subscriberId, "sent")
  const screen = findScreen(state, screenId, "Credentials")
  const integrationIdentifier = screen === undefined ? undefined : valueOf(screen, "integrationIdentifier")
  const changed =
    screen === undefined
      ? undefined
      : credentialsKey({ providerId: valueOf(screen, "providerId"), integrationIdentifier })
  const next: State = { ...state, fix, facts: fromUpsert(state.facts, subscriber, state.now, changed) }
  const more = fix === undefined ? undefined : nextOf(fix, subscriber.subscriberId)
  const integration = ofIntegration(integrationIdentifier)
  const outcome = `saved${integration}: ${call.status} in ${Math.round(call.durationMs)} ms`
  if (topScreen(state).id === screenId && screen !== undefined)
    return put(
      withNotice(
        next,
        `${outcome}; ${more === undefined ? `${keyFor(state, "to the subscriber")} shows the stored credentials` : `${keyFor(state, "next subscriber")} continues with ${more}`}`,
        "ok"
      ),
      {
        ...screen,
        sending: false,
        saved: call
      }
    )
  // Discard the draft once it is sent; sending it again would add its device tokens a second time.
  const drafts = state.drafts.filter(({ id }) => id !== screenId)
  const what = screen === undefined ? "credentials" : `${valueOf(screen, "providerId")} credentials`
  return stay(withNotice({ ...next, drafts }, `${what} of ${subscriber.subscriberId} ${outcome}`, "ok"))
}

/**
 * Keeps everything typed and shows the reason next to the field it belongs to; also notifies a user who has closed the
 * form.
 */
export const refused = (state: State, screenId: number, problem: Problem): Transition => {
  const screen = findScreen(state, screenId, "Credentials")
  const fix =
    screen === undefined
      ? state.fix
      : withOutcome(state.fix, screen.subscriberId, problem.mayHaveBeenApplied === true ? "unsure" : "failed")
  const next = screen === undefined ? state : putScreen({ ...state, fix }, { ...screen, sending: false, problem })
  return topScreen(state).id === screenId
    ? stay(next)
    : stay(withNotice(next, `the credentials were not saved: ${problem.summary} ${problem.advice}`, "failed"))
}

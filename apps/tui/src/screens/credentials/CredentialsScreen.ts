import type { Problem } from "@signalbox/operator/report/ProblemReport"
import { make as makeField, type TextField, text } from "../../keyboard/TextField.ts"
import { allFields, type CredentialField, fieldsOf, type ProviderChannel } from "./ProviderFields.ts"
import type { CallFacts } from "../../state/Requests.ts"
import type { Revealing } from "../../state/Revealing.ts"

/** A field of the form: the two of the request and those of `credentials`. */
export type FormField = "providerId" | "integrationIdentifier" | CredentialField

const formFields: ReadonlyArray<FormField> = ["providerId", "integrationIdentifier", ...allFields]

/** The contents of the fields. */
export type FormValues = Readonly<Record<FormField, TextField>>

/** The form that upserts credentials of one provider. */
export interface CredentialsScreen extends Revealing {
  readonly _tag: "Credentials"
  readonly id: number
  readonly subscriberId: string
  readonly values: FormValues
  /** The contents when it was opened. */
  readonly opened: FormValues
  readonly focus: FormField
  readonly showAll: boolean
  readonly sending: boolean
  readonly problem: Problem | undefined
  readonly saved: CallFacts | undefined
  /** Why the form was opened, when a failed step asked for it. */
  readonly reason: string | undefined
  /** The channel of that step: its providers are suggested first. */
  readonly channel: ProviderChannel | undefined
}

/** The values that the form is opened with. */
export interface Prefill {
  readonly providerId?: string
  readonly integrationIdentifier?: string
  readonly reason?: string
  readonly channel?: ProviderChannel | undefined
}

/** A form with the provider filled in; the cursor is in the first field that is still empty. */
export const make = (id: number, subscriberId: string, prefill: Prefill = {}): CredentialsScreen => {
  const blank = makeField()
  const values: FormValues = {
    providerId: makeField(prefill.providerId),
    integrationIdentifier: makeField(prefill.integrationIdentifier),
    webhookUrl: blank,
    channel: blank,
    deviceTokens: blank,
    alertUid: blank,
    title: blank,
    imageUrl: blank,
    state: blank,
    externalUrl: blank
  }
  const first = prefill.providerId === undefined ? undefined : fieldsOf(prefill.providerId).required[0]
  return {
    _tag: "Credentials",
    id,
    subscriberId,
    values,
    opened: values,
    focus: first ?? "providerId",
    showAll: false,
    revealedUntil: undefined,
    sending: false,
    problem: undefined,
    saved: undefined,
    reason: prefill.reason,
    channel: prefill.channel
  }
}

/** The content of a field, without space around it. */
export const valueOf = (screen: CredentialsScreen, field: FormField): string => text(screen.values[field]).trim()

/** Whether something was typed that is not saved. */
export const isChanged = ({ opened, saved, values }: CredentialsScreen): boolean =>
  saved === undefined && formFields.some((field) => text(values[field]).trim() !== text(opened[field]).trim())

/** The fields shown for the chosen provider, in the order of the form. */
export const shownFields = (screen: CredentialsScreen): ReadonlyArray<FormField> => {
  const { required, optional } = fieldsOf(valueOf(screen, "providerId"))
  const credential = screen.showAll
    ? allFields
    : [
        ...required,
        ...optional,
        ...allFields.filter(
          (field) => valueOf(screen, field) !== "" && !required.includes(field) && !optional.includes(field)
        )
      ]
  return ["providerId", "integrationIdentifier", ...credential]
}

/** Device tokens as typed or pasted: separated by spaces, commas or lines, repeated ones dropped. */
export const tokensIn = (typed: string): { readonly tokens: ReadonlyArray<string>; readonly repeated: number } => {
  const all = typed.split(/[\s,]+/u).filter((token) => token !== "")
  const tokens = Array.from(new Set(all))
  return { tokens, repeated: all.length - tokens.length }
}

import { usualFields } from "@signalbox/core/Credentials"
import { channelCredentials, type Parameter, phraseOf } from "@signalbox/core/Operations"
import type { CredentialField } from "@signalbox/operator/diagnosis/Rule"

/** One field of credentials on the command line. */
export interface FieldFlag {
  readonly name: string
  readonly description: string
}

/** The flag of a list takes one element, and can be repeated. */
const flagOf = (field: string, parameter: Parameter): FieldFlag => {
  const isList = parameter.kind === "strings"
  const words = field.replaceAll(/[A-Z]/gu, (letter) => `-${letter.toLowerCase()}`)
  return {
    name: isList ? words.replace(/s$/u, "") : words,
    description: `${phraseOf(parameter)}${isList ? "; repeatable" : ""}.`
  }
}

/** The flag of each field of credentials, from the contract. */
export const fieldFlags: Readonly<Record<CredentialField, FieldFlag>> = Object.fromEntries(
  Object.entries(channelCredentials).map(([field, parameter]) => [field, flagOf(field, parameter)])
  // `fromEntries` does not keep the names of the fields.
) as Record<CredentialField, FieldFlag>

/** The credential fields that a provider uses; every field for an unknown provider. */
export const fieldsOf = (providerId: string): ReadonlyArray<CredentialField> => {
  const usual = usualFields(providerId)
  // The keys of the table are the fields.
  return (Object.keys(fieldFlags) as ReadonlyArray<CredentialField>).filter((field) => usual.includes(field))
}

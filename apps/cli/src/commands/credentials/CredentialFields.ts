/**
 * The fields of credentials as flags, and which of them a provider takes.
 */
import { usualFields } from "@signalbox/core/Credentials"
import type { CredentialField } from "@signalbox/operator/diagnosis/Rule"
import { fieldFlags } from "./FieldFlags.ts"

/** The credential fields that a provider uses; every field for an unknown provider. */
export const fieldsOf = (providerId: string): ReadonlyArray<CredentialField> => {
  const all = Object.keys(fieldFlags) as Array<CredentialField> // keys of a literal
  const usual = usualFields(providerId)
  return all.filter((field) => usual.includes(field))
}

/**
 * The fields of credentials as flags, and which of them a provider takes.
 */
import { type CredentialsInput, unusualFields } from "@signalbox/core/CredentialsInput"
import type { CredentialField } from "@signalbox/operator/diagnosis/Rule"
import { fieldFlags } from "./FieldFlags.ts"

/** The fields that the API document names for a provider. */
export const fieldsOf = (providerId: string): ReadonlyArray<CredentialField> => {
  const all = Object.keys(fieldFlags) as Array<CredentialField> // keys of a literal
  const credentials = Object.fromEntries(all.map((field) => [field, "value"]))
  // Core is asked which fields are unusual, whatever the provider is and however its values look.
  const unusual = unusualFields({ providerId, credentials } as unknown as CredentialsInput)
  return all.filter((field) => !unusual.includes(field))
}

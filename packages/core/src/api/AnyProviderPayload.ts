import * as Schema from "effect/Schema"
import { CredentialsUpsertPayload } from "./CredentialsUpsert.ts"

/** The payload of an upsert for a provider that this version need not know. */
export const AnyProviderPayload = Schema.Struct({
  ...CredentialsUpsertPayload.fields,
  providerId: Schema.NonEmptyString
})

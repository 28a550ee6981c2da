/**
 * The operation `credentials.upsert` as a value (API document: Endpoints, Upsert provider credentials).
 *
 * **When to use**: for tools that need the wire itself: method, path, parameters and schemas, written once.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"
import { credentialsUpsertPayload } from "../contract/Parameters.ts"
import { fieldsOf } from "../contract/ParameterSchemas.ts"
import { ChannelProviderId } from "../contract/Provider.ts"
import * as Contract from "../contract/Subscriber.ts"
import { SubscriberId } from "../contract/SubscriberId.ts"
import { Subscriber } from "../schemas/Subscriber.ts"
import * as Operation from "./Operation.ts"

/** Body of the request (API document: Endpoints, Upsert provider credentials). */
export const CredentialsUpsertPayload = Schema.Struct({
  ...fieldsOf(credentialsUpsertPayload),
  // The schemas that responses have, too: they have names in the OpenAPI document.
  providerId: ChannelProviderId,
  credentials: Contract.ChannelCredentials
}).annotate({ identifier: "CredentialsUpsertPayload" })

/**
 * Creates or updates the credentials of one provider for one subscriber and returns the whole subscriber; device
 * tokens are appended (API document: Endpoints, Upsert provider credentials).
 */
export const CredentialsUpsert = Operation.make("credentials.upsert", {
  params: Schema.Struct({ subscriberId: SubscriberId }),
  query: undefined,
  payload: CredentialsUpsertPayload,
  success: Contract.Subscriber,
  read: Subscriber
})

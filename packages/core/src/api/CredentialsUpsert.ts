/**
 * The operation `credentials.upsert` as a value (API document: Endpoints, Upsert provider credentials).
 *
 * **When to use**: for tools that need the wire itself: method, path, parameters and schemas, written once.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"
import { ChannelProviderId } from "../contract/Provider.ts"
import * as Contract from "../contract/Subscriber.ts"
import { SubscriberId } from "../contract/SubscriberId.ts"
import * as Operation from "../contract/Operation.ts"
import { Subscriber } from "../schemas/Subscriber.ts"

/** Body of the request (API document: Endpoints, Upsert provider credentials). */
export const CredentialsUpsertPayload = Schema.Struct({
  /** Provider that the credentials belong to. */
  providerId: ChannelProviderId,
  /** Identifier of the integration, where the environment has several of one provider. */
  integrationIdentifier: Schema.optionalKey(Schema.String),
  /** What the provider needs to reach the subscriber. */
  credentials: Contract.ChannelCredentials
}).annotate({ identifier: "CredentialsUpsertPayload" })

/**
 * Creates or updates the credentials of one provider for one subscriber and answers the whole subscriber; device
 * tokens are appended (API document: Endpoints, Upsert provider credentials).
 */
export const CredentialsUpsert = Operation.make({
  name: "credentials.upsert",
  method: "PATCH",
  path: "/v1/subscribers/:subscriberId/credentials",
  params: Schema.Struct({
    /** Identifier of the subscriber in the client's system. */
    subscriberId: SubscriberId
  }),
  query: undefined,
  payload: CredentialsUpsertPayload,
  success: Contract.Subscriber,
  read: Subscriber,
  status: 200,
  section: "Endpoints, Upsert provider credentials",
  summary: "Creates or updates the credentials of one provider for one subscriber"
})

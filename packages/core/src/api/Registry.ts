/**
 * The operations of the API with their schemas: one constant for each, and all of them by name.
 *
 * **When to use**: for tools that need schemas of the wire, such as a generator or a contract test. `Operations` has the
 * facts alone.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"
import * as ContractEventPage from "../contract/EventPage.ts"
import * as ContractMessage from "../contract/Message.ts"
import type { OperationName } from "../contract/Operations.ts"
import { credentialsUpsertPayload, documentedEventsListQuery, messagesMarkAsPayload } from "../contract/Parameters.ts"
import { fieldsOf } from "../contract/ParameterSchemas.ts"
import { ChannelProviderId } from "../contract/Provider.ts"
import * as ContractSubscriber from "../contract/Subscriber.ts"
import { SubscriberId } from "../contract/SubscriberId.ts"
import type { EventPage, Message, Subscriber } from "../models/Records.ts"
import { tolerant } from "../schemas/Tolerant.ts"
import * as Operation from "./Operation.ts"

/** Body of the request (API document: Endpoints, Upsert provider credentials). */
export const CredentialsUpsertPayload = Schema.Struct({
  ...fieldsOf(credentialsUpsertPayload),
  // The schemas that responses have, too: they have names in the OpenAPI document.
  providerId: ChannelProviderId,
  credentials: ContractSubscriber.ChannelCredentials
}).annotate({ identifier: "CredentialsUpsertPayload" })

/** The payload of an upsert for a provider that this version does not need to know. */
export const AnyProviderPayload = Schema.Struct({
  ...CredentialsUpsertPayload.fields,
  providerId: Schema.NonEmptyString
})

/**
 * Stores the credentials of one provider for the subscriber in the path and returns the whole subscriber. Device tokens
 * are appended to those that are already stored (API document: Endpoints, Upsert provider credentials).
 */
export const CredentialsUpsert = Operation.make("credentials.upsert", {
  section: "Endpoints, Upsert provider credentials",
  summary: "Creates or updates the credentials of one provider for one subscriber",
  params: Schema.Struct({ subscriberId: SubscriberId }),
  query: undefined,
  payload: CredentialsUpsertPayload,
  success: ContractSubscriber.Subscriber,
  read: tolerant<Subscriber>(ContractSubscriber.Subscriber)
})

/** Body of the request (API document: Endpoints, Update notifications state). */
export const MessagesMarkAsPayload = Schema.Struct(fieldsOf(messagesMarkAsPayload)).annotate({
  identifier: "MessagesMarkAsPayload"
})

/**
 * Sets the read or seen state of in-app messages of the subscriber in the path and returns the messages it changed (API
 * document: Endpoints, Update notifications state).
 */
export const MessagesMarkAs = Operation.make("messages.markAs", {
  section: "Endpoints, Update notifications state",
  summary: "Marks messages of one subscriber as read, unread, seen or unseen",
  params: Schema.Struct({ subscriberId: SubscriberId }),
  query: undefined,
  payload: MessagesMarkAsPayload,
  success: Schema.Array(ContractMessage.Message),
  read: tolerant<ReadonlyArray<Message>>(Schema.Array(ContractMessage.Message))
})

/** Schema of the filters of the listing that the document has; all are optional (API document: Endpoints, List all events). */
export const EventsListQuery = Schema.Struct(fieldsOf(documentedEventsListQuery)).annotate({
  identifier: "EventsListQuery"
})

/**
 * Lists the events of the environment, one record per trigger. The document does not show the order of records, how
 * filters combine, or how array parameters are encoded. Signalbox repeats the parameter by default:
 * `channels=email&channels=sms` (API document: Endpoints, List all events).
 */
export const EventsList = Operation.make("events.list", {
  section: "Endpoints, List all events",
  summary: "Lists triggered events of the environment",
  params: undefined,
  query: EventsListQuery,
  payload: undefined,
  success: ContractEventPage.EventPage,
  read: tolerant<EventPage>(ContractEventPage.EventPage)
})

/** Every operation with its schemas. Its type has names, because its declaration would repeat every schema. */
export const registry: {
  readonly "credentials.upsert": typeof CredentialsUpsert
  readonly "messages.markAs": typeof MessagesMarkAs
  readonly "events.list": typeof EventsList
} = {
  "credentials.upsert": CredentialsUpsert,
  "messages.markAs": MessagesMarkAs,
  "events.list": EventsList
} satisfies { readonly [Name in OperationName]: Operation.Operation<Name> }

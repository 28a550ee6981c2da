/**
 * The operations of the API and their parameters as plain facts, in modules without schemas.
 *
 * **When to use**: for tools that need the wire itself, such as a fake, a proxy or a command line. A fake that keys a table
 * by `keyof (typeof parameters)[Name]["query"]` does not compile until it implements a new parameter.
 *
 * **Details**: a new operation starts here. The compiler then reports every other place that needs it. Where a fact
 * distinguishes operations, use the fact instead of the name.
 */
import { channelProviderIds, jobTypes, severities } from "./KnownValues.ts"
import type { OperationParameters, ParameterFields } from "./Parameters.ts"
import type { OperationName } from "./Positions.ts"

export * from "./Parameters.ts"
export { type OperationName, operationNames, positions } from "./Positions.ts"

/** Keys that lead to a value; `*` stands for every element of an array. */
export type FieldPosition = ReadonlyArray<string>

/** Where values with a special meaning are in the requests and responses of an operation. */
export interface OperationPositions {
  /** Positions of secrets in the request body. */
  readonly secrets: ReadonlyArray<FieldPosition>
  /** Positions of lists in the request body that the service appends to its own: sending one twice does harm. */
  readonly appends: ReadonlyArray<FieldPosition>
  /** Positions of provider and origin identifiers, which contain the vendor's name. */
  readonly identifiers: {
    readonly request: ReadonlyArray<FieldPosition>
    readonly response: ReadonlyArray<FieldPosition>
  }
}

/** The API document's facts about an operation. */
export interface OperationFacts {
  /** HTTP method; a `GET` changes nothing. */
  readonly method: Method
  /** Path below the base URL; `:name` stands for a path parameter. */
  readonly path: `/v1/${string}`
  /** Documented status of a successful response; a client accepts any 2xx. */
  readonly status: 200 | 201
  /** Section of the API document. */
  readonly section: string
  /** A summary, in one line. */
  readonly summary: string
  readonly parameters: OperationParameters
  /** The record of a successful response, with `[]` for a list of them. */
  readonly response: string
}

/** The name of an operation of this library, or of one that a program declares. */
export type AnyOperationName = OperationName | (string & {})

/** An HTTP method of an operation. */
export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE"

/** Path parameters of the operations of one subscriber. */
export const subscriberPath = {
  subscriberId: { about: "Identifier of the subscriber in the client's system", kind: "string", required: true }
} as const satisfies ParameterFields

/** What a provider needs to reach one subscriber (API document: Resources, ChannelCredentials). */
export const channelCredentials = {
  webhookUrl: {
    about: "Webhook URL for chat integrations, obtained from the chat provider",
    kind: "string",
    secret: true
  },
  channel: { about: "Channel specification for Mattermost chat notifications", kind: "string" },
  deviceTokens: {
    about: "Device tokens of the subscriber, used by push integrations",
    kind: "strings",
    secret: true,
    appends: true
  },
  alertUid: { about: "Alert UID for the grafana-on-call webhook payload", kind: "string" },
  title: { about: "Title for the grafana-on-call webhook", kind: "string" },
  imageUrl: { about: "Image URL for the grafana-on-call webhook", kind: "string" },
  state: { about: "State property for the grafana-on-call webhook", kind: "string" },
  externalUrl: { about: "Link to upstream details for the grafana-on-call webhook", kind: "string" }
} as const satisfies ParameterFields

/** Body of the request (API document: Endpoints, Upsert provider credentials). */
export const credentialsUpsertPayload = {
  providerId: {
    about: "Provider that the credentials belong to",
    kind: "string",
    required: true,
    values: channelProviderIds,
    vendorIdentifier: true
  },
  integrationIdentifier: {
    about: "Identifier of the integration, where the environment has several of one provider",
    kind: "string"
  },
  credentials: {
    about: "What the provider needs to reach the subscriber",
    kind: "object",
    required: true,
    fields: channelCredentials
  }
} as const satisfies ParameterFields

/** The states that messages can be marked as (API document: Endpoints, Update notifications state). */
export const messageMarks = ["read", "seen", "unread", "unseen"] as const

/** Body of the request (API document: Endpoints, Update notifications state). */
export const messagesMarkAsPayload = {
  messageId: { about: "Internal identifiers of the messages", kind: "one-or-several", required: true },
  markAs: { about: "State that the messages get", kind: "string", required: true, values: messageMarks }
} as const satisfies ParameterFields

/** The filters of the listing; all are optional (API document: Endpoints, List all events). */
export const eventsListQuery = {
  channels: { about: "Channels, such as `in_app` or `email`", kind: "strings", known: jobTypes },
  templates: { about: "Internal identifiers of workflows", kind: "one-or-several" },
  emails: { about: "E-mail addresses", kind: "one-or-several" },
  search: { about: "Search term", kind: "string", deprecated: true },
  subscriberIds: { about: "Identifiers of subscribers in the client's system", kind: "one-or-several" },
  severity: { about: "Levels of severity", kind: "one-or-several", known: severities },
  page: { about: "Number of the page", kind: "integer", minimum: 0, default: 0 },
  limit: { about: "Size of the page", kind: "integer", minimum: 1, maximum: 50, default: 10 },
  transactionId: { about: "Identifier of the transaction that the trigger belongs to", kind: "string" },
  topicKey: { about: "Key of a topic that the event was sent to", kind: "string" },
  contextKeys: { about: "Exact context keys, each of the form `type:id`", kind: "strings", emptyMeansNone: true },
  after: {
    about: "Only records after this timestamp",
    kind: "string",
    isTime: true,
    whenAbsent: "the earliest date that the plan allows"
  },
  before: {
    about: "Only records before this timestamp",
    kind: "string",
    isTime: true,
    whenAbsent: "the time of the request"
  },
  subscriptionId: {
    about: "Identifier of a topic subscription that the event was sent to",
    kind: "string",
    newer: true
  }
} as const satisfies ParameterFields

/** The events of the largest page that the service returns. */
export const largestPage = eventsListQuery.limit.maximum

/**
 * The facts of every operation, by its name.
 *
 * @example
 * ```ts
 * import { operations } from "@signalbox/core/Operations"
 *
 * const { method, path } = operations["events.list"]
 * `${method} ${path}` // => "GET /v1/notifications"
 * ```
 */
export const operations = {
  /**
   * Stores the credentials of one provider for the subscriber in the path and returns the whole subscriber. Device tokens
   * are appended to those that are already stored (API document: Endpoints, Upsert provider credentials).
   */
  "credentials.upsert": {
    method: "PATCH",
    path: "/v1/subscribers/:subscriberId/credentials",
    status: 200,
    section: "Endpoints, Upsert provider credentials",
    summary: "Creates or updates the credentials of one provider for one subscriber",
    parameters: { path: subscriberPath, query: {}, body: credentialsUpsertPayload },
    response: "Subscriber"
  },
  /**
   * Sets the read or seen state of in-app messages of the subscriber in the path and returns the messages it changed (API
   * document: Endpoints, Update notifications state).
   */
  "messages.markAs": {
    method: "POST",
    path: "/v1/subscribers/:subscriberId/messages/mark-as",
    status: 201,
    section: "Endpoints, Update notifications state",
    summary: "Marks messages of one subscriber as read, unread, seen or unseen",
    parameters: { path: subscriberPath, query: {}, body: messagesMarkAsPayload },
    response: "Message[]"
  },
  /**
   * Lists the events of the environment, one record per trigger. The document does not show the order of records, how
   * filters combine, or how array parameters are encoded. Signalbox repeats the parameter by default:
   * `channels=email&channels=sms` (API document: Endpoints, List all events).
   */
  "events.list": {
    method: "GET",
    path: "/v1/notifications",
    status: 200,
    section: "Endpoints, List all events",
    summary: "Lists triggered events of the environment",
    parameters: { path: {}, query: eventsListQuery, body: {} },
    response: "EventPage"
  }
} as const satisfies Readonly<Record<OperationName, OperationFacts>>

/** Whether a name is that of an operation of this library. */
export const isOperationName = (name: AnyOperationName): name is OperationName => Object.hasOwn(operations, name)

/**
 * Whether an operation of this library changes nothing.
 *
 * @example
 * ```ts
 * import { isRead } from "@signalbox/core/Operations"
 *
 * isRead("events.list") // => true
 * isRead("messages.markAs") // => false
 * ```
 */
export const isRead = (operation: AnyOperationName): boolean =>
  isOperationName(operation) && operations[operation].method === "GET"

/**
 * The parameters of the operations as plain facts: names, kinds, allowed values, bounds and defaults.
 *
 * **When to use**: to read or check the parameters of a request without a schema library. A fake that keys a table
 * by `keyof (typeof parameters)[Name]["query"]` does not compile until it implements a new parameter.
 *
 * @example
 * ```ts
 * import { parameters } from "@signalbox/core/Parameters"
 *
 * const { limit } = parameters["events.list"].query
 * `${limit.minimum} to ${limit.maximum}, ${limit.default} when absent` // => "1 to 50, 10 when absent"
 * ```
 *
 * @since 0.1.0
 */
import type { OperationName } from "./Operations.ts"
import { channelProviderIds } from "./KnownValues.ts"

interface Presence {
  /** Whether a request without the parameter is invalid. */
  readonly required?: true
  /** Whether the document marks the parameter as deprecated. */
  readonly deprecated?: true
  /** Whether the parameter is newer than the document: services of later versions have it. */
  readonly newer?: true
  /** Whether the value is a secret; each value, where there are several. */
  readonly secret?: true
  /** Whether the service appends the values to its own: sending them twice does harm. */
  readonly appends?: true
  /** Whether the value has the vendor's name in it, where the document has the word `service`. */
  readonly vendorIdentifier?: true
}

/** One string; one of `values`, where the document lists them. */
export interface StringParameter extends Presence {
  readonly kind: "string"
  readonly values?: ReadonlyArray<string>
}

/** An array of strings. */
export interface StringsParameter extends Presence {
  readonly kind: "strings"
}

/** One string, or an array of strings. */
export interface OneOrSeveralParameter extends Presence {
  readonly kind: "one-or-several"
}

/** A whole number within bounds, both included. */
export interface IntegerParameter extends Presence {
  readonly kind: "integer"
  readonly minimum: number
  readonly maximum?: number
  /** The service's default for an absent parameter. */
  readonly default: number
}

/** An object with fields. */
export interface ObjectParameter extends Presence {
  readonly kind: "object"
  readonly fields: ParameterFields
}

/** A parameter in a path, a query or a JSON body. */
export type Parameter = StringParameter | StringsParameter | OneOrSeveralParameter | IntegerParameter | ObjectParameter

/** Parameters by their names. */
export type ParameterFields = { readonly [name: string]: Parameter }

/** The parameters of one operation; a part without parameters is empty. */
export interface OperationParameters {
  readonly path: ParameterFields
  readonly query: ParameterFields
  readonly body: ParameterFields
}

/** Path parameters of the operations of one subscriber. */
export const subscriberPath = {
  /** Identifier of the subscriber in the client's system. */
  subscriberId: { kind: "string", required: true }
} as const satisfies ParameterFields

/** What a provider needs to reach one subscriber (API document: Resources, ChannelCredentials). */
export const channelCredentials = {
  /** Webhook URL for chat integrations, obtained from the chat provider. A secret. */
  webhookUrl: { kind: "string", secret: true },
  /** Channel specification for Mattermost chat notifications. */
  channel: { kind: "string" },
  /** Device tokens of the subscriber, used by push integrations. Secrets. */
  deviceTokens: { kind: "strings", secret: true, appends: true },
  /** Alert UID for the grafana-on-call webhook payload. */
  alertUid: { kind: "string" },
  /** Title for the grafana-on-call webhook. */
  title: { kind: "string" },
  /** Image URL for the grafana-on-call webhook. */
  imageUrl: { kind: "string" },
  /** State property for the grafana-on-call webhook. */
  state: { kind: "string" },
  /** Link to upstream details for the grafana-on-call webhook. */
  externalUrl: { kind: "string" }
} as const satisfies ParameterFields

/** Body of the request (API document: Endpoints, Upsert provider credentials). */
export const credentialsUpsertPayload = {
  /** Provider that the credentials belong to. */
  providerId: { kind: "string", required: true, values: channelProviderIds, vendorIdentifier: true },
  /** Identifier of the integration, where the environment has several of one provider. */
  integrationIdentifier: { kind: "string" },
  /** What the provider needs to reach the subscriber. */
  credentials: { kind: "object", required: true, fields: channelCredentials }
} as const satisfies ParameterFields

/** The states that messages can be marked as (API document: Endpoints, Update notifications state). */
export const messageMarks = ["read", "seen", "unread", "unseen"] as const

/** Body of the request (API document: Endpoints, Update notifications state). */
export const messagesMarkAsPayload = {
  /** Internal identifiers of the messages: one, or several. */
  messageId: { kind: "one-or-several", required: true },
  /** State that the messages get. */
  markAs: { kind: "string", required: true, values: messageMarks }
} as const satisfies ParameterFields

/** The filters of the listing; all are optional (API document: Endpoints, List all events). */
export const documentedEventsListQuery = {
  /** Channels, such as `in_app` or `email`. */
  channels: { kind: "strings" },
  /** Internal identifiers of workflows: one, or several. */
  templates: { kind: "one-or-several" },
  /** E-mail addresses: one, or several. */
  emails: { kind: "one-or-several" },
  /**
   * Search term.
   *
   * @deprecated The API document marks this filter as deprecated (API document: Versioning).
   */
  search: { kind: "string", deprecated: true },
  /** Identifiers of subscribers in the client's system: one, or several. */
  subscriberIds: { kind: "one-or-several" },
  /** Levels of severity: one, or several. */
  severity: { kind: "one-or-several" },
  /** Number of the page, counted from 0; 0 when absent. */
  page: { kind: "integer", minimum: 0, default: 0 },
  /** Size of the page, from 1 to 50; 10 when absent. */
  limit: { kind: "integer", minimum: 1, maximum: 50, default: 10 },
  /** Identifier of the transaction that the trigger belongs to. */
  transactionId: { kind: "string" },
  /** Key of a topic that the event was sent to. */
  topicKey: { kind: "string" },
  /** Exact context keys, each of the form `type:id`. */
  contextKeys: { kind: "strings" },
  /** Only records after this timestamp; the earliest date that the plan allows when absent. */
  after: { kind: "string" },
  /** Only records before this timestamp; the time of the request when absent. */
  before: { kind: "string" }
} as const satisfies ParameterFields

/** The filters of the document, and those that services of later versions have. */
// Bundlers keep a spread even if nothing uses it, but not the result of a pure call.
export const eventsListQuery = /* @__PURE__ */ (() =>
  ({
    ...documentedEventsListQuery,
    /** Identifier of a topic subscription that the event was sent to. */
    subscriptionId: { kind: "string", newer: true }
  }) as const satisfies ParameterFields)()

/** The events of the largest page that the service returns. */
export const largestPage = documentedEventsListQuery.limit.maximum

/** The parameters of every operation, by its name. */
export const parameters = {
  "credentials.upsert": { path: subscriberPath, query: {}, body: credentialsUpsertPayload },
  "messages.markAs": { path: subscriberPath, query: {}, body: messagesMarkAsPayload },
  "events.list": { path: {}, query: eventsListQuery, body: {} }
} as const satisfies Readonly<Record<OperationName, OperationParameters>>

type ValueOf<P extends Parameter> = P extends ObjectParameter
  ? InputOf<P["fields"]>
  : P extends StringParameter
    ? P["values"] extends ReadonlyArray<string>
      ? P["values"][number]
      : string
    : P extends IntegerParameter
      ? number
      : P extends StringsParameter
        ? ReadonlyArray<string>
        : string | ReadonlyArray<string>

type RequiredOf<Fields extends ParameterFields> = {
  [Name in keyof Fields]: Fields[Name]["required"] extends true ? Name : never
}[keyof Fields]

/** The values of parameters, as a program writes them. */
export type InputOf<Fields extends ParameterFields> = {
  readonly [Name in keyof Fields as Name extends RequiredOf<Fields> ? Name : never]: ValueOf<Fields[Name]>
} & {
  readonly [Name in keyof Fields as Name extends RequiredOf<Fields> ? never : Name]?: ValueOf<Fields[Name]>
}

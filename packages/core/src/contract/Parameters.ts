import type { OperationName } from "./Positions.ts"
import { channelProviderIds, jobTypes, severities } from "./KnownValues.ts"

interface Described {
  /** Its description, as a phrase; bounds, defaults and remarks follow from the other facts. */
  readonly about: string
  /** The meaning of an absent parameter, as the end of a sentence. */
  readonly whenAbsent?: string
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
export interface StringParameter extends Described {
  readonly kind: "string"
  readonly values?: ReadonlyArray<string>
  /** Whether the value is a timestamp. */
  readonly isTime?: true
}

/** An array of strings. */
export interface StringsParameter extends Described {
  readonly kind: "strings"
  /** The known values; others are allowed. */
  readonly known?: ReadonlyArray<string>
  /** Whether an empty array is a condition, and sent; other empty filters are rejected. */
  readonly emptyMeansNone?: true
}

/** One string, or an array of strings. */
export interface OneOrSeveralParameter extends Described {
  readonly kind: "one-or-several"
  /** The known values; others are allowed. */
  readonly known?: ReadonlyArray<string>
}

/** A whole number within bounds, both included. */
export interface IntegerParameter extends Described {
  readonly kind: "integer"
  readonly minimum: number
  readonly maximum?: number
  /** The service's default for an absent parameter. */
  readonly default: number
}

/** An object with fields. */
export interface ObjectParameter extends Described {
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
export const documentedEventsListQuery = {
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
  }
} as const satisfies ParameterFields

/** The filters of the document, and those that services of later versions have. */
// Bundlers keep a spread even if nothing uses it, but not the result of a pure call.
export const eventsListQuery = /* @__PURE__ */ (() =>
  ({
    ...documentedEventsListQuery,
    subscriptionId: {
      about: "Identifier of a topic subscription that the event was sent to",
      kind: "string",
      newer: true
    }
  }) as const satisfies ParameterFields)()

/**
 * What a parameter is, as a phrase without a period: its description and bounds.
 *
 * @example
 * ```ts
 * import { parameters, phraseOf } from "@signalbox/core/Operations"
 *
 * phraseOf(parameters["events.list"].query.limit) // => "Size of the page, from 1 to 50"
 * ```
 */
export const phraseOf = (parameter: Parameter): string => {
  if (parameter.kind !== "integer") return parameter.about
  const { about, maximum, minimum } = parameter
  return maximum === undefined ? `${about}, counted from ${minimum}` : `${about}, from ${minimum} to ${maximum}`
}

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

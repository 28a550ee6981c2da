/**
 * The calls that a checked client makes, as plain JSON, and the request that each of them stands for.
 */
import { type OperationName, operations } from "@signalbox/core/Operations"
import * as Schema from "effect/Schema"

interface Upsert<ProviderId extends string, Credentials> {
  readonly operation: "credentials.upsert"
  readonly subscriberId: string
  readonly providerId: ProviderId
  readonly credentials: Credentials
}

/** Stores credentials. */
export type CheckedUpsert =
  | Upsert<"apns" | "expo", { readonly deviceTokens: ReadonlyArray<string> }>
  | Upsert<"discord", { readonly webhookUrl: string }>

/** Marks messages. */
export interface CheckedMark {
  readonly operation: "messages.markAs"
  readonly subscriberId: string
  readonly messageId: ReadonlyArray<string>
  readonly markAs: "read" | "unread" | "seen" | "unseen"
}

/** Lists events. It has no array parameter: the document leaves their encoding open. */
export interface CheckedList {
  readonly operation: "events.list"
  readonly transactionId?: string
  readonly limit: number
}

/** A call: an operation with its input, named as in the API document. */
export type CheckedCall = CheckedUpsert | CheckedMark | CheckedList

/** The schema of a call. @internal */
export const CallSchema: Schema.Codec<CheckedCall> = Schema.Union([
  Schema.Struct({
    operation: Schema.Literal("credentials.upsert"),
    subscriberId: Schema.String,
    providerId: Schema.Literals(["apns", "expo"]),
    credentials: Schema.Struct({ deviceTokens: Schema.Array(Schema.String) })
  }),
  Schema.Struct({
    operation: Schema.Literal("credentials.upsert"),
    subscriberId: Schema.String,
    providerId: Schema.Literal("discord"),
    credentials: Schema.Struct({ webhookUrl: Schema.String })
  }),
  Schema.Struct({
    operation: Schema.Literal("messages.markAs"),
    subscriberId: Schema.String,
    messageId: Schema.Array(Schema.String),
    markAs: Schema.Literals(["read", "unread", "seen", "unseen"])
  }),
  Schema.Struct({
    operation: Schema.Literal("events.list"),
    transactionId: Schema.optionalKey(Schema.String),
    limit: Schema.Int
  })
])

/** The subscriber that a call is about; `undefined` for a listing. */
export const subscriberOf = (call: CheckedCall): string | undefined =>
  call.operation === "events.list" ? undefined : call.subscriberId

/** The device tokens of a call. */
export const tokensOf = (call: CheckedCall): ReadonlyArray<string> =>
  call.operation === "credentials.upsert" && call.providerId !== "discord" ? call.credentials.deviceTokens : []

/** One line about a call, without its secrets. */
export const describeCall = (call: CheckedCall): string => {
  switch (call.operation) {
    case "credentials.upsert": {
      const tokens = tokensOf(call)
      const what = tokens.length === 0 ? "a webhook URL" : `device tokens: ${tokens.length}`
      return `${call.operation} ${call.subscriberId}, ${call.providerId}, ${what}`
    }
    case "messages.markAs":
      return `${call.operation} ${call.subscriberId}, ${call.markAs}, messages: ${call.messageId.length}`
    case "events.list":
      return `${call.operation}${call.transactionId === undefined ? "" : ` ${call.transactionId}`}, limit ${call.limit}`
  }
}

/** The secrets in the input of a call. */
export const secretsOf = (call: CheckedCall): ReadonlyArray<string> =>
  call.operation === "credentials.upsert" && call.providerId === "discord"
    ? [call.credentials.webhookUrl]
    : tokensOf(call)

/** The request of a call. */
interface PlainRequest {
  readonly method: string
  /** Path and query. */
  readonly target: string
  readonly body: string | undefined
}

/** The request that a call stands for. */
export const requestOf = (call: CheckedCall): PlainRequest => {
  const name: OperationName = call.operation
  const { method, path } = operations[name]
  const target = path.replace(":subscriberId", encodeURIComponent(subscriberOf(call) ?? ""))
  switch (call.operation) {
    case "credentials.upsert": {
      const { credentials, providerId } = call
      return { method, target, body: JSON.stringify({ providerId, credentials }) }
    }
    case "messages.markAs":
      return { method, target, body: JSON.stringify({ messageId: call.messageId, markAs: call.markAs }) }
    case "events.list": {
      const { limit, transactionId } = call
      const query = new URLSearchParams({
        ...(transactionId === undefined ? {} : { transactionId }),
        limit: String(limit)
      })
      return { method, target: `${target}?${query}`, body: undefined }
    }
  }
}

import type { OperationName } from "@signalbox/core/Operations"
import { expectTypeOf } from "vitest"
import {
  anyProvider,
  type AnyReason,
  type CallAborted,
  type CallInfo,
  type ChatProviderId,
  type Client,
  type ClientClosed,
  type ClientOptions,
  defineOperation,
  type EventPage,
  type EventWith,
  isSignalboxError,
  type ListEventsError,
  type Message,
  type PushProviderId,
  type Reason,
  type StandardSchema,
  type Subscriber,
  type UpsertCredentialsError,
  type UpsertOutcome
} from "./index.ts"
import type { Dispatcher, NodeClientOptions } from "./node.ts"

declare const client: Client
declare const unknown: unknown

type Tags<E extends { readonly reason: { readonly _tag: string } }> = E["reason"]["_tag"]

// Plain calls give plain data.
expectTypeOf(client.credentials.upsert("u", { providerId: "fcm", credentials: {} })).toEqualTypeOf<
  Promise<Subscriber>
>()
expectTypeOf(client.messages.markAs("u", { messageId: "m", markAs: "read" })).toEqualTypeOf<
  Promise<ReadonlyArray<Message>>
>()
expectTypeOf<Awaited<ReturnType<Client["events"]["list"]>>>().toEqualTypeOf<EventPage>()

// A listing is a page, its events and its pages.
const list = client.events.list({ severity: "high", channels: ["email"] }, { retry: { maxRetries: 1 } })
expectTypeOf(list).toExtend<Promise<EventPage>>()
expectTypeOf(list).toExtend<AsyncIterable<EventPage["data"][number]>>()
expectTypeOf(list.pages({ prefetch: false })).toExtend<AsyncIterable<EventPage & { readonly cursor?: string }>>()

// `.result` narrows by `ok`, then by `_tag`; the reasons of each operation are exact.
const result = await client.events.list.result()
if (result.ok) {
  expectTypeOf(result.value).toEqualTypeOf<EventPage>()
  expectTypeOf(result.call).toEqualTypeOf<CallInfo>()
} else {
  expectTypeOf(result.error).toEqualTypeOf<ListEventsError | CallAborted | ClientClosed>()
  if (result.error._tag === "ListEventsError") {
    expectTypeOf<Extract<Tags<typeof result.error>, "IdempotencyKeyReused">>().toEqualTypeOf<never>()
    if (result.error.reason._tag === "RateLimited") {
      expectTypeOf(result.error.reason.retryAfterMs).toEqualTypeOf<number | undefined>()
    }
  }
}
expectTypeOf<Tags<UpsertCredentialsError>>().toEqualTypeOf<Reason["_tag"]>()

// A guard narrows what was caught.
if (isSignalboxError(unknown)) {
  expectTypeOf(unknown.reason._tag).toEqualTypeOf<Reason["_tag"] | "CallAborted" | "ClientClosed">()
}

// One type fits the reason of every error that the guard finds.
declare const statusOf: (reason: AnyReason) => number | undefined
if (isSignalboxError(unknown)) statusOf(unknown.reason)

// A device is registered without a list of providers, and a provider of another group is a type error.
declare const pushProvider: PushProviderId
declare const chatProvider: Exclude<ChatProviderId, "mattermost" | "grafana-on-call">
await client.credentials.upsert("u", { providerId: pushProvider, credentials: { deviceTokens: "t" } })
await client.credentials.upsert("u", { providerId: chatProvider, credentials: { webhookUrl: "https://a.example" } })
// @ts-expect-error a chat provider has no device tokens
await client.credentials.upsert("u", { providerId: chatProvider, credentials: { deviceTokens: "t" } })

// The payload of events has the type of the program.
interface Order {
  readonly orderId: string
}
const orders = client.events.list<Order>()
expectTypeOf((await orders).data[0]?.payload).toEqualTypeOf<Order | undefined>()
for await (const { payload } of orders) expectTypeOf(payload).toEqualTypeOf<Order | undefined>()
for await (const { data } of orders.pages()) expectTypeOf(data).toEqualTypeOf<ReadonlyArray<EventWith<Order>>>()
const ordersResult = await client.events.list.result<Order>()
if (ordersResult.ok) expectTypeOf(ordersResult.value).toEqualTypeOf<EventPage<EventWith<Order>>>()

// Every outcome of bulk work has its input.
declare const outcome: UpsertOutcome
expectTypeOf(outcome.input.subscriberId).toEqualTypeOf<string>()
if (outcome.ok) expectTypeOf(outcome.value).toEqualTypeOf<Subscriber>()

// One string is accepted wherever the API has a list.
client.events.list({
  channels: "email",
  contextKeys: "tenant:north",
  emails: "ada@example.com",
  severity: "high",
  subscriberIds: "u",
  templates: "t"
})
await client.credentials.upsert("u", { providerId: "fcm", credentials: { deviceTokens: "token" } })
await client.credentials.upsert("u", anyProvider("carrier-pigeon", { deviceTokens: "token" }))
await client.messages.markAs("u", { messageId: "m", markAs: "read" })
await client.messages.markManyAs("u", "m", "read")

// The provider guides to its fields, `anyProvider` leads around it.
await client.credentials.upsert("u", anyProvider("carrier-pigeon", { channel: "roof" }))
// @ts-expect-error a webhook is nothing that fcm knows
await client.credentials.upsert("u", { providerId: "fcm", credentials: { webhookUrl: "https://hooks.test/1" } })
declare const token: string | undefined
// @ts-expect-error without its tokens, an upsert can remove those that are stored
await client.credentials.upsert("u", { providerId: "fcm", credentials: { deviceTokens: token } })
// @ts-expect-error a provider that is not known needs the named way
await client.credentials.upsert("u", { providerId: "carrier-pigeon", credentials: {} })
// @ts-expect-error one of four states
await client.messages.markAs("u", { messageId: "m", markAs: "opened" })
// @ts-expect-error one key cannot serve many calls
client.credentials.upsertMany([], { idempotencyKey: "one" })
// @ts-expect-error the connection is no matter of a call
await client.events.list({}, { baseUrl: "https://api.example.com" })

// Nothing of Effect is asked for or given, and nothing is `any`.
type Key = ClientOptions["apiKey"]
expectTypeOf<Key>().toEqualTypeOf<string | (() => string | Promise<string>)>()
type GroupOf<Name extends OperationName> = Name extends `${infer Group}.${string}` ? Group : never

// The members are those that the test of a client asserts.
expectTypeOf<keyof Client>().toEqualTypeOf<
  GroupOf<OperationName> | "call" | "request" | "rateLimit" | "close" | "with" | typeof Symbol.asyncDispose
>()
expectTypeOf<Client["events"]["list"]>().parameters.not.toBeAny()
expectTypeOf<CallInfo["unreadable"][number]["raw"]>().toBeUnknown()

/** The names of operations that the client has no method for. */
type WithoutMethod<Name extends OperationName> = Name extends `${infer Group}.${infer Method}`
  ? Group extends keyof Client
    ? Method extends keyof Client[Group]
      ? never
      : Name
    : Name
  : Name

// Every operation has a method.
expectTypeOf<WithoutMethod<OperationName>>().toEqualTypeOf<never>()

// A declared operation gives its calls the types of its schemas, and its path that of its parameters.
declare const bodyOfName: StandardSchema<{ body: { name: string } }>
declare const topic: StandardSchema<unknown, { key: string }>
const create = defineOperation({
  name: "topics.create",
  method: "POST",
  path: "/v1/topics",
  input: bodyOfName,
  output: topic
})
expectTypeOf(client.call(create, { body: { name: "news" } })).toEqualTypeOf<Promise<{ key: string }>>()
// @ts-expect-error the schema has no such input
await client.call(create, { body: { title: "news" } })
// @ts-expect-error its input has a required part
await client.call(create)
const remove = defineOperation({ name: "topics.delete", method: "DELETE", path: "/v1/topics/:topicKey" })
expectTypeOf(client.call(remove, { path: { topicKey: "news" } })).toEqualTypeOf<Promise<unknown>>()
// @ts-expect-error the path has another parameter
await client.call(remove, { path: { key: "news" } })
// @ts-expect-error the input lacks the parameter of the path
defineOperation({ name: "topics.put", method: "PUT", path: "/v1/topics/:topicKey", input: bodyOfName })
// @ts-expect-error a GET has no body
defineOperation({ name: "topics.get", method: "GET", path: "/v1/topics", input: bodyOfName })
// @ts-expect-error a GET has no body
await client.request("GET", "/v1/topics", { body: {} })

// The compiler names the client that a dispatcher is for, and the options of one client fit the other.
expectTypeOf<Dispatcher>().not.toExtend<ClientOptions["dispatcher"]>()
expectTypeOf<keyof NonNullable<ClientOptions["dispatcher"]>>().toEqualTypeOf<
  "dispatch" | "needs createClient of @signalbox/sdk/node"
>()
expectTypeOf<ClientOptions>().toExtend<NodeClientOptions>()

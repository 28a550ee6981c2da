import type * as Effect from "effect/Effect"
import { expectTypeOf } from "vitest"
import type { ActivityJob, ActivityNotification, JobProviderId, KnownJobProviderId } from "../models/Records.ts"
import type { CallInfo } from "../call/CallInfo.ts"
import type { Client } from "./Client.ts"
import type { CredentialsShape } from "./Credentials.ts"
import { anyProvider, type CredentialsInput } from "./CredentialsInput.ts"
import type { EventsShape } from "./Events.ts"
import type {
  CallError,
  ListEventsError,
  MarkMessagesAsError,
  SignalboxError,
  UpsertCredentialsError
} from "../errors/Errors.ts"
import type { CommonReason, Reason, WriteReason } from "../errors/Reason.ts"
import type { OperationName } from "../contract/Operations.ts"

type Tags<E extends { readonly reason: { readonly _tag: string } }> = E["reason"]["_tag"]

// The reasons of each operation are exact.
expectTypeOf<Tags<ListEventsError>>().toEqualTypeOf<CommonReason["_tag"]>()
expectTypeOf<Tags<UpsertCredentialsError>>().toEqualTypeOf<Reason["_tag"]>()
expectTypeOf<Tags<MarkMessagesAsError>>().toEqualTypeOf<Reason["_tag"]>()
expectTypeOf<Extract<Tags<ListEventsError>, WriteReason["_tag"]>>().toEqualTypeOf<never>()

// Methods need nothing from their caller.
expectTypeOf<Effect.Services<ReturnType<EventsShape["list"]>>>().toEqualTypeOf<never>()
expectTypeOf<Effect.Services<ReturnType<CredentialsShape["upsert"]>>>().toEqualTypeOf<never>()
expectTypeOf<Effect.Error<ReturnType<EventsShape["list"]>>>().toEqualTypeOf<ListEventsError>()

// Unknown enum values pass, known ones keep autocomplete.
expectTypeOf<"brand-new">().toExtend<Exclude<ActivityNotification["severity"], undefined>>()
expectTypeOf<
  Extract<Exclude<ActivityJob["providerId"], undefined>, KnownJobProviderId>
>().toEqualTypeOf<KnownJobProviderId>()

// Relaxations and what could not be read show in the types.
expectTypeOf<Pick<ActivityJob, "providerId">>().toEqualTypeOf<{ readonly providerId?: JobProviderId }>()
expectTypeOf<CallInfo["unreadable"][number]["raw"]>().toEqualTypeOf<unknown>()

// The provider guides to its fields; one named way leads around it.
const push = { providerId: "fcm", credentials: { deviceTokens: ["token"] } } satisfies CredentialsInput
const chat = { providerId: "slack", credentials: { webhookUrl: "url" } } satisfies CredentialsInput
const mattermost = {
  providerId: "mattermost",
  credentials: { webhookUrl: "url", channel: "c" }
} satisfies CredentialsInput
interface PushWithWebhook {
  readonly providerId: "fcm"
  readonly credentials: { readonly webhookUrl: string }
}
expectTypeOf<PushWithWebhook>().not.toExtend<CredentialsInput>()
interface Unknown {
  readonly providerId: "carrier-pigeon"
  readonly credentials: {}
}
expectTypeOf<Unknown>().not.toExtend<CredentialsInput>()
expectTypeOf(anyProvider("carrier-pigeon", { channel: "roof" })).toExtend<CredentialsInput>()
expectTypeOf([push, chat, mattermost]).toBeArray()

// Every operation is a method of a service, which the layer of a client provides.
type Services = { readonly [Service in Client as Service["key"]]: Service["Service"] }
type WithoutMethod<Name extends OperationName> = Name extends `${infer Group}.${infer Method}`
  ? `signalbox/core/${Capitalize<Group>}` extends infer Key extends keyof Services
    ? Method extends keyof Services[Key]
      ? never
      : Name
    : Name
  : never
expectTypeOf<WithoutMethod<OperationName>>().toEqualTypeOf<never>()

// Every operation has an error.
expectTypeOf<Exclude<SignalboxError, CallError>["operation"]>().toEqualTypeOf<OperationName>()

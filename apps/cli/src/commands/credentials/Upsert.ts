import { type AnyCredentials, Credentials, type CredentialsInput } from "@signalbox/core/Credentials"
import { credentialsUpsertWire } from "@signalbox/core/internal/reading/Shapes"
import { channelProviderIds, isKnownChannelProviderId, type Subscriber } from "@signalbox/core/Records"
import { type CredentialField, ofIntegration } from "@signalbox/operator/diagnosis/Rule"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { chooseConnection, confirmWrite, onConnection, requireWritable } from "../../connection/Connection.ts"
import { usage } from "../../failure/CommandError.ts"
import { expectedOneOf } from "@signalbox/core/Nearest"
import type { Listing } from "../../output/Listing.ts"
import { recordNames } from "../../output/RecordNames.ts"
import { openOutput } from "../../output/Output.ts"
import { dryRun } from "./DryRun.ts"
import { fieldFlags, fieldsOf } from "./FieldFlags.ts"
import { askSecret, checkedToken, checkedUrl, readSecret, readSecrets } from "./Secrets.ts"
import type { UpsertInput } from "./Credentials.ts"

type TextField = Exclude<CredentialField, "webhookUrl" | "deviceTokens">

const isTextField = (field: CredentialField): field is TextField => field !== "webhookUrl" && field !== "deviceTokens"

// The keys of the table are the fields.
const textFields = (Object.keys(fieldFlags) as ReadonlyArray<CredentialField>).filter(isTextField)

const listing: Listing<Subscriber> = {
  fields: {
    subscriber: { value: ({ subscriberId }) => subscriberId },
    providers: { value: ({ channels }) => (channels ?? []).map(({ providerId }) => providerId) },
    updated: { value: ({ updatedAt }) => updatedAt, isShort: true }
  },
  names: recordNames(credentialsUpsertWire),
  columns: ["subscriber", "providers", "updated"]
}

const flagOf = (field: CredentialField): string => `--${fieldFlags[field].name}`

const given = (input: UpsertInput): ReadonlyArray<CredentialField> => [
  ...(Option.isSome(input.webhookUrl) ? (["webhookUrl"] as const) : []),
  ...(input.deviceTokens.length > 0 ? (["deviceTokens"] as const) : []),
  ...textFields.filter((field) => Option.isSome(input[field]))
]

/** Checks provider and flags before any secret is read. */
const checkFields = Effect.fnUntraced(function* (input: UpsertInput) {
  const { provider } = input
  if (!isKnownChannelProviderId(provider)) {
    return yield* usage(`--provider: unknown provider "${provider}"; ${expectedOneOf(provider, channelProviderIds)}`)
  }
  const fields = fieldsOf(provider)
  const wrong = given(input).find((field) => !fields.includes(field))
  if (wrong !== undefined) {
    return yield* usage(
      `${flagOf(wrong)} is not a field of ${provider}; its fields are ${fields.map(flagOf).join(", ")}`
    )
  }
  return fields
})

/** The credentials with their secrets; if no field is set, the command asks for the provider's secret. */
const readCredentials = Effect.fnUntraced(function* (input: UpsertInput, fields: ReadonlyArray<CredentialField>) {
  const isEmpty = given(input).length === 0
  const plainFields = Object.fromEntries(
    textFields.flatMap((field) => Option.match(input[field], { onNone: () => [], onSome: (text) => [[field, text]] }))
  )
  const credentials: AnyCredentials = { ...plainFields }
  const { name } = fieldFlags.webhookUrl
  if (Option.isSome(input.webhookUrl)) {
    const webhookUrl = yield* checkedUrl(`--${name}`, yield* readSecret(name, input.webhookUrl.value))
    return { ...credentials, webhookUrl }
  }
  const flag = fieldFlags.deviceTokens.name
  const checkTokens = (tokens: ReadonlyArray<string>) =>
    Effect.forEach(tokens, (token) => checkedToken(`--${flag}`, token, input.provider))
  if (input.deviceTokens.length > 0) {
    return { ...credentials, deviceTokens: yield* checkTokens(yield* readSecrets(flag, input.deviceTokens)) }
  }
  if (!isEmpty) return credentials
  return fields.includes("deviceTokens")
    ? { deviceTokens: yield* checkTokens([yield* askSecret(flag, `Device token for ${input.provider}`)]) }
    : { webhookUrl: yield* checkedUrl(`--${name}`, yield* askSecret(name, `Webhook URL for ${input.provider}`)) }
})

/** Creates or updates credentials. */
export const upsert = Effect.fnUntraced(function* (input: UpsertInput) {
  const fields = yield* checkFields(input)
  const output = yield* openOutput(listing, input)
  const connection = yield* chooseConnection(input)
  if (!input.dryRun) yield* requireWritable(connection)
  const credentials: AnyCredentials = yield* readCredentials(input, fields)
  const request = {
    providerId: input.provider,
    credentials,
    ...(Option.isSome(input.integration) ? { integrationIdentifier: input.integration.value } : {})
    // The provider and its fields were checked above; the type cannot follow that.
  } as CredentialsInput
  const call = Credentials.use((service) => service.upsert(input.subscriber, request))
  if (input.dryRun) return yield* dryRun(connection, call, input)
  const what = `${input.provider} credentials of ${input.subscriber}${ofIntegration(Option.getOrUndefined(input.integration))}`
  yield* confirmWrite(connection, `set ${what}`, input.yes)
  const subscriber = yield* call.pipe(onConnection(connection))
  yield* output.rows([subscriber])
  yield* output.note(`Set ${what}`)
})

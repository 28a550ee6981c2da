/**
 * Upserts the credentials of one provider for one subscriber.
 */
import * as Vendor from "@signalbox/core/Vendor"
import { channelCredentials, credentialsUpsertPayload, type StringParameter } from "@signalbox/core/Operations"
import { type EnvironmentState, putSubscriber, subscriberOf } from "../state/EnvironmentState.ts"
import { addSubscriber } from "../state/Subscribers.ts"
import * as Random from "../random/Random.ts"
import type { ChannelRecord, Credentials, IntegrationRecord, SubscriberRecord } from "../state/Records.ts"
import type { Switches } from "../switches/Switches.ts"
import { settle } from "../trigger/Settle.ts"
import {
  internalError,
  missing,
  type Operate,
  type OperationContext,
  type OperationResult,
  type Problem,
  problemOf,
  refuse,
  rejectProblems,
  type Rejection,
  unknownFields
} from "./OperationResponse.ts"
import { subscriberWire } from "./SubscriberWire.ts"
import { isJsonObject } from "@signalbox/core/internal/reading/JsonObject"

type CredentialName = keyof typeof channelCredentials

/** Whether an observed service stores a field. The compiler demands a value for a new field. */
const isStoredAsObserved: { readonly [Name in CredentialName]: boolean } = {
  webhookUrl: true,
  channel: true,
  deviceTokens: true,
  alertUid: false,
  title: false,
  imageUrl: false,
  state: false,
  externalUrl: false
}

const isCredentialName = (name: string): name is CredentialName => Object.hasOwn(channelCredentials, name)

interface Input {
  readonly providerId: string
  readonly integrationIdentifier: string | undefined
  readonly credentials: Credentials
  /** Fields that the request clears. */
  readonly cleared: ReadonlyArray<string>
  /** Whether the service fails when it stores them. */
  readonly fails: boolean
}

/** The stored form of a value of any type: a list of tokens has the characters of a string. */
const untyped = (name: CredentialName, value: unknown): unknown => {
  if (channelCredentials[name].kind !== "strings" || Array.isArray(value)) return value
  return typeof value === "string" ? [...value] : undefined
}

const readCredentials = (
  switches: Switches,
  given: { readonly [key: string]: unknown }
): Pick<Input, "credentials" | "cleared" | "fails"> | { readonly problem: Problem } => {
  const kept: Record<string, unknown> = {}
  let fails = false
  const cleared: Array<string> = []
  for (const [name, value] of Object.entries(given)) {
    if (!isCredentialName(name)) continue
    if (value === null) {
      if (switches["credentials.nullFields"] === "refused") {
        return {
          problem: problemOf(switches["credentials.badBody"], `credentials.${name}`, `${name} must not be null`)
        }
      }
      if (switches["credentials.nullFields"] === "cleared") cleared.push(name)
      continue
    }
    const isList = channelCredentials[name].kind === "strings"
    const fits = isList
      ? Array.isArray(value) && value.every((token) => typeof token === "string")
      : typeof value === "string"
    const stored = fits || switches["credentials.innerTypes"] !== "stored" ? value : untyped(name, value)
    if (!fits) {
      switch (switches["credentials.innerTypes"]) {
        case "refused": {
          const rule = `${name} must be ${isList ? "an array of strings" : "a string"}`
          return { problem: problemOf(switches["credentials.badBody"], `credentials.${name}`, rule) }
        }
        case "500":
          fails = true
          continue
        case "stored":
          fails ||= stored === undefined
          break
        case "ignored":
          continue
      }
    }
    if (switches["credentials.storedFields"] === "all" || isStoredAsObserved[name]) kept[name] = stored
  }
  // Each name is one of ChannelCredentials; a value of another type is stored only if the switches say so.
  return { credentials: kept as Credentials, cleared, fails }
}

/** Whether no integration is named, by the switches. */
const namesNone = (switches: Switches, identifier: unknown): boolean =>
  identifier === undefined ||
  (switches["credentials.identifierEmpty"] === "ignored" && (identifier === null || identifier === ""))

const read = (switches: Switches, payload: unknown): Input | Rejection => {
  const status = switches["credentials.badBody"]
  if (!isJsonObject(payload) && switches["error.problems"] === "first") {
    return rejectProblems(switches, [problemOf(status, "body", "body must be an object")])
  }
  const body = isJsonObject(payload) ? payload : {}
  const { providerId, integrationIdentifier, credentials } = body
  const { values: providers }: StringParameter = credentialsUpsertPayload.providerId
  const problems: Array<Problem> = []
  const isProvider = typeof providerId === "string" && providers?.includes(providerId) === true
  if (!isProvider) {
    const rule = "providerId must be a valid provider ID"
    problems.push(problemOf(status, "providerId", ...missing("providerId", providerId), rule))
  }
  const isUnnamed = namesNone(switches, integrationIdentifier)
  const isNamed = !isUnnamed && typeof integrationIdentifier === "string"
  if (!isUnnamed && !isNamed) {
    problems.push(problemOf(status, "integrationIdentifier", "integrationIdentifier must be a string"))
  }
  if (!isJsonObject(credentials)) {
    problems.push(
      problemOf(status, "credentials", ...missing("credentials", credentials), "credentials must be an object")
    )
  }
  problems.push(...unknownFields(switches, body, credentialsUpsertPayload))
  const inner = isJsonObject(credentials) ? readCredentials(switches, credentials) : undefined
  if (inner !== undefined && "problem" in inner) problems.push(inner.problem)
  if (!isProvider || inner === undefined || "problem" in inner || problems.length > 0) {
    return rejectProblems(switches, problems)
  }
  return { providerId, integrationIdentifier: isNamed ? integrationIdentifier : undefined, ...inner }
}

const findIntegration = (
  state: EnvironmentState,
  switches: Switches,
  input: Input,
  entries: ReadonlyArray<ChannelRecord>
): IntegrationRecord | "several" | undefined => {
  const fitting = state.integrations
    .filter(
      ({ active, identifier, providerId }) =>
        providerId === input.providerId &&
        (active || switches["credentials.inactiveIntegration"] === "used") &&
        (input.integrationIdentifier === undefined || identifier === input.integrationIdentifier)
    )
    // Of equal times, the integration added last is the newest.
    .toReversed()
    .toSorted((one, other) => other.createdAt - one.createdAt)
  switch (switches["credentials.severalIntegrations"]) {
    case "existing":
      return fitting.find(({ id }) => entries.some(({ integrationId }) => integrationId === id)) ?? fitting[0]
    case "newest":
      return fitting[0]
    case "oldest":
      return fitting.at(-1)
    case "400":
      return fitting.length > 1 ? "several" : fitting[0]
  }
}

const mergedTokens = (
  switches: Switches,
  stored: ReadonlyArray<string> | undefined,
  given: ReadonlyArray<string> | undefined
): ReadonlyArray<string> | undefined => {
  const unique = (tokens: ReadonlyArray<string>) =>
    switches["credentials.tokenDuplicates"] === "dropped" ? [...new Set(tokens)] : tokens
  if (given === undefined) {
    return switches["credentials.tokensAbsent"] === "kept" ? stored : []
  }
  if (given.length === 0) return switches["credentials.tokensEmpty"] === "kept" ? (stored ?? []) : []
  if (switches["credentials.tokens"] === "replace") return unique(given)
  return unique(
    switches["credentials.tokenOrder"] === "stored-first"
      ? [...(stored ?? []), ...given]
      : [...given, ...(stored ?? [])]
  )
}

const merged = (switches: Switches, stored: Credentials | undefined, input: Input): Credentials => {
  const { deviceTokens: given, ...fields } = input.credentials
  const { deviceTokens: old, ...oldFields } = stored ?? {}
  const kept = switches["credentials.otherFields"] === "merge" ? { ...oldFields, ...fields } : fields
  const tokens =
    stored === undefined
      ? given === undefined
        ? undefined
        : mergedTokens(switches, undefined, given)
      : mergedTokens(switches, old, given)
  const all = { ...kept, ...(tokens === undefined ? {} : { deviceTokens: tokens }) }
  return Object.fromEntries(Object.entries(all).filter(([name]) => !input.cleared.includes(name)))
}

const canonical = (credentials: Credentials): string =>
  JSON.stringify(Object.entries(credentials).toSorted(([one], [other]) => (one < other ? -1 : 1)))

/** Whether a write counts as a new version. */
const isCounted = (switches: Switches, isSame: boolean): boolean =>
  switches["subscriber.version"] === "counted" && !(isSame && switches["credentials.noOpVersion"] === "kept")

/** Whether a write is a new update, by its effect, or by what the request repeats. */
const isTouched = (switches: Switches, isSame: boolean, isRestated: boolean): boolean => {
  switch (switches["credentials.noOpUpdatedAt"]) {
    case "kept":
      return !isSame
    case "kept-if-equal":
      return !isRestated
    case "bumped":
      return true
  }
}

/**
 * `PATCH /v1/subscribers/{subscriberId}/credentials`
 *
 * `seen` is the state in which the service read the entries of the subscriber; whatever was written to the same entry
 * since then is lost.
 */
export const upsertCredentials = (
  before: EnvironmentState,
  context: OperationContext,
  subscriberId: string,
  payload: unknown,
  seen: EnvironmentState = before
): OperationResult => {
  const { switches, now } = context
  let state = settle(before, now)
  const input = read(switches, payload)
  if ("status" in input) return refuse(state, context, input)

  let subscriber = subscriberOf(state, subscriberId)
  const unknown = switches["credentials.unknownSubscriber"]
  if (subscriber === undefined && unknown !== "create") {
    return refuse(state, context, { status: Number(unknown), message: `SubscriberId: ${subscriberId} not found` })
  }
  const entries = subscriberOf(seen, subscriberId)?.channels ?? []
  const found = findIntegration(state, switches, input, entries)
  if (found === "several") {
    return refuse(state, context, {
      status: 400,
      message: `The environment has several ${input.providerId} integrations: set integrationIdentifier`
    })
  }
  const missing = switches["credentials.missingIntegration"]
  if (found === undefined && missing !== "store") {
    return refuse(state, context, {
      status: Number(missing),
      message: `Subscribers environment (${state.environmentId}) do not have active ${Vendor.identifierToWire(context.vendor ?? Vendor.neutral, input.providerId)} integration.`
    })
  }
  if (input.fails) return refuse(state, context, internalError)
  if (subscriber === undefined) ({ state, subscriber } = addSubscriber(state, now, { subscriberId }))
  const integrationId = found?.id ?? Random.objectId(state.idSeed, `integration:${input.providerId}`, 0)
  const integrationIdentifier = found?.identifier ?? input.integrationIdentifier ?? input.providerId
  const isEntry = (channel: ChannelRecord) =>
    channel.providerId === input.providerId &&
    (switches["credentials.entry"] === "provider" || channel.integrationId === integrationId)
  const stored = entries.find(isEntry)
  const isRestated =
    stored !== undefined &&
    stored.integrationId === integrationId &&
    canonical(input.credentials) === canonical(stored.credentials)
  const restated = isRestated && switches["credentials.tokenDuplicates"] === "dropped"
  const credentials = restated ? stored.credentials : merged(switches, stored?.credentials, input)
  const count = credentials.deviceTokens?.length ?? 0
  if (switches["credentials.tokenLimit"] === "100" && count > 100) {
    return refuse(state, context, {
      status: 400,
      message: `Device tokens limit exceeded. Maximum allowed tokens per subscriber channel is 100, but got ${count} tokens.`,
      facts: { currentCount: count, limit: 100 }
    })
  }
  const entry: ChannelRecord = { providerId: input.providerId, integrationId, integrationIdentifier, credentials }
  const same =
    stored !== undefined &&
    stored.integrationId === integrationId &&
    canonical(stored.credentials) === canonical(credentials)
  // Without an entry when it read, the service adds one, whatever others have added since.
  const at = stored === undefined ? -1 : subscriber.channels.findIndex(isEntry)
  const changed: SubscriberRecord = {
    ...subscriber,
    channels: at < 0 ? [...subscriber.channels, entry] : subscriber.channels.with(at, entry),
    version: subscriber.version + (isCounted(switches, same) ? 1 : 0),
    updatedAt: isTouched(switches, same, isRestated) ? now : subscriber.updatedAt
  }
  const after = putSubscriber(state, changed)
  const reread = (later: EnvironmentState) => {
    const body = subscriberWire(later, switches, subscriberOf(later, subscriberId) ?? changed)
    return { status: 200, body: switches.envelope === "data" ? { data: body } : body }
  }
  return { state: after, response: reread(after), reread }
}

export const operate: Operate = (state, context, { body, parameters, seen }) =>
  upsertCredentials(state, context, parameters["subscriberId"] ?? "", body, seen)

/**
 * The programs of a check: a service with switches and faults, and the calls that the client makes. They are generated
 * from a seed, and shrunk by leaving parts out.
 */
import { channelProviderIds } from "@signalbox/core/internal/contract/KnownValues"
import { createFake } from "../environment/Fake.ts"
import * as Fault from "../faults/Fault.ts"
import { pointsOf } from "../faults/FaultForms.ts"
import * as Random from "../random/Random.ts"
import type { EnvironmentRecords } from "../state/EnvironmentRecords.ts"
import { everyFault } from "../sweep/SweepFaults.ts"
import { virtualStart } from "../time/VirtualTime.ts"
import type { PlainEnvironmentOptions } from "../environment/ReproductionToken.ts"
import {
  type AnyCall,
  type CheckedCall,
  type CheckedUpsert,
  type DeclaredCall,
  operationOf,
  subscriberOf
} from "./CheckedCall.ts"

/** A program: the options of the service, and the calls in order. */
export interface CheckProgram {
  readonly environment: PlainEnvironmentOptions
  readonly calls: ReadonlyArray<AnyCall>
}

/** Whether the calls of a program start at the same time: those of a service that loses updates. */
export const isConcurrent = ({ environment: { switches } }: CheckProgram): boolean =>
  switches?.["credentials.concurrent"] === "lost-updates"

/** Whether calls at the same time are about one subscriber, so that any of them can have sent a request. */
export const mayLoseUpdates = (program: CheckProgram): boolean =>
  isConcurrent(program) && new Set(program.calls.map(subscriberOf)).size < program.calls.length

export interface ProgramOptions {
  readonly seed: number
  /** Options of every service; they override generated ones. */
  readonly environment: PlainEnvironmentOptions
  /** Whether programs run over a server, in real time. */
  readonly isServed: boolean
  /** Whether calls are aborted. */
  readonly aborts: boolean
  /** Whether some programs make their calls at the same time. */
  readonly concurrent: boolean
  readonly faults: ReadonlyArray<Fault.Fault>
  /** The calls of declared operations, one for each example. */
  readonly declared: ReadonlyArray<DeclaredCall>
}

/** Enough events for messages and a page. */
const events = 12

/** Few seeds, so that their data are made once. */
const dataSeeds = 8

const madeRecords = new Map<string, EnvironmentRecords>()

const recordsFor = (environment: PlainEnvironmentOptions): EnvironmentRecords => {
  const { clock, seed } = environment
  const key = `${seed} ${clock}`
  const records = madeRecords.get(key) ?? createFake({ data: "demo", events, ...environment, faults: [] }).state()
  madeRecords.set(key, records)
  return records
}

const rateLimits = (): ReadonlyArray<Fault.Fault> => [
  Fault.rateLimited({ retryAfterMs: 2_000 }),
  Fault.rateLimited({ retryAfterMs: 2_000, as: "http-date" }),
  Fault.status(503, { headers: { "retry-after": "2" } })
]

export const checkFaults = (isServed: boolean): ReadonlyArray<Fault.Fault> =>
  // A client that has connected to a server cannot be refused.
  [...everyFault(), ...rateLimits()].filter(({ form }) => !isServed || form._tag !== "Refuse")

const one = <const Item>(random: Random.Stream, items: ReadonlyArray<Item>): Item =>
  // The index is one of an item: no list here is empty.
  items[Random.whole(random, 0, items.length - 1)] as Item

/**
 * Half of the faults lose the response to a change: most clients that are wrong go wrong there. A sixth changes a body, which
 * few faults do. The others have each form equally often, however many points it has.
 */
const faultOf = (random: Random.Stream, faults: ReadonlyArray<Fault.Fault>): Fault.Fault => {
  const losing = faults.filter(({ point }) => point === "committed")
  const ofBody = faults.filter(({ form }) => pointsOf(form._tag).join() === "answering")
  const others = faults.filter((fault) => !losing.includes(fault) && !ofBody.includes(fault))
  const form = one(random, [...new Set(others.map((other) => other.form))])
  const ofForm = others.filter((other) => other.form === form)
  const fault = one(random, one(random, [losing, losing, losing, ofBody, ofForm, ofForm]))
  const which = one(random, [
    { request: 1 },
    { request: 2 },
    { request: 1 },
    { times: 2 },
    { times: "always" }
  ] as const)
  return { ...fault, ...which }
}

/** Responses have request ids, so that those which a client reports can be compared. */
const switchesOf = (random: Random.Stream): NonNullable<PlainEnvironmentOptions["switches"]> => ({
  "response.requestId": "x-request-id",
  ...one(random, [{}, { "idempotency.sameBody": "replay" }, { "idempotency.sameBody": "apply" }] as const)
})

const environmentOf = (random: Random.Stream, options: ProgramOptions): PlainEnvironmentOptions => {
  const switches = switchesOf(random)
  return {
    data: "demo",
    events,
    seed: Random.whole(random, 1, dataSeeds),
    preset: one(random, ["document", "observed", "adversarial", `seeded(${Random.whole(random, 1, 999)})`] as const),
    switches,
    ...(options.isServed ? {} : { clock: virtualStart }),
    ...options.environment,
    faults: Array.from({ length: one(random, [0, 1, 1, 1, 2]) }, () => faultOf(random, options.faults))
  }
}

/** Ids that no service has, with every kind of character: of subscribers in a path, and of all kinds in a query. */
export const strangers = ["Nobody", "ana@example.test", "Inês 田中", "a/b?c=d&e#f", "100%25 +1;x=y:z"] as const

/** Tokens have capitals and reserved characters too, and no alphabetical order. */
const devices = ["phone", "Tablet:+/=", 'é"\\田'] as const

/** Credentials of the kind that a provider needs. */
const credentialsFor = (random: Random.Stream, providerId: string, isChat: boolean, name: string) => {
  const webhookUrl = `https://hooks.example.test/services/check/${name}?a=1&b=é`
  if (!isChat) {
    const deviceTokens = devices.slice(0, one(random, [1, 1, 2, 3])).map((device) => `check-token-${name}-${device}`)
    return { deviceTokens }
  }
  if (providerId === "mattermost") return { webhookUrl, channel: "town-square" }
  return providerId === "grafana-on-call"
    ? { webhookUrl, alertUid: "a-1", title: "Ação", state: "alerting" }
    : { webhookUrl }
}

/** An upsert for an integration of the environment or, if `mayFail`, sometimes for another provider of the contract. */
const upsertOf = (
  random: Random.Stream,
  { integrations }: EnvironmentRecords,
  subscriberId: string,
  name: string,
  mayFail: boolean
): CheckedUpsert => {
  const operation = "credentials.upsert"
  const own = integrations.filter(({ active, channel }) => active && (channel === "chat" || channel === "push"))
  // Most mistakes with credentials are mistakes with device tokens, which are appended.
  const push = own.filter(({ channel }) => channel === "push")
  const { channel, identifier, providerId } = one(random, push.length > 0 && random() < 0.6 ? push : own)
  const several = own.filter((other) => other.providerId === providerId).length > 1
  const plain = {
    operation,
    subscriberId,
    credentials: credentialsFor(random, providerId, channel === "chat", name)
  } as const
  // Providers with the vendor's name are written differently for each vendor.
  const known = channelProviderIds.filter((id) => !id.startsWith("service"))
  if (mayFail && random() < 0.1) return { ...plain, providerId: one(random, known) }
  return {
    ...plain,
    // An integration of the demo data has a provider of the contract.
    providerId: providerId as CheckedUpsert["providerId"],
    ...(several && random() < 0.5 ? { integrationIdentifier: identifier } : {})
  }
}

const markOf = (
  random: Random.Stream,
  { messages }: EnvironmentRecords,
  subscriberId: string
): CheckedCall | undefined => {
  const own = messages.filter((message) => message.subscriberId === subscriberId && message.channel === "in_app")
  if (own.length === 0) return undefined
  const messageId = own.slice(0, one(random, [1, 1, 2, 3])).map(({ id }) => id)
  const markAs = one(random, ["read", "unread", "seen", "unseen"] as const)
  return { operation: "messages.markAs", subscriberId, messageId, markAs }
}

const listOf = (random: Random.Stream, { events: known }: EnvironmentRecords): CheckedCall => {
  const { createdAt, subscriberId, transactionId } = one(random, known)
  const filters = [
    {},
    { transactionId },
    { subscriberIds: [subscriberId] },
    { subscriberIds: [subscriberId, one(random, known).subscriberId] },
    { transactionId: one(random, strangers) },
    { subscriberIds: [subscriberId, one(random, strangers)] },
    { channels: ["in_app"] },
    { channels: ["email", "push"] },
    { after: new Date(createdAt - 1).toISOString() }
  ]
  return {
    operation: "events.list",
    ...one(random, filters),
    ...one(random, [{}, {}, { page: 0 }, { page: 1 }]),
    limit: one(random, [1, 5, 10, 49, 50])
  }
}

/** When a call is aborted: at once, while it waits to retry, and while it waits for a response. */
const abortOf = (random: Random.Stream): Pick<AnyCall, "abortAfterMs"> =>
  one(random, [{}, { abortAfterMs: 0 }, { abortAfterMs: 100 }, { abortAfterMs: 5_000 }])

/** Half of the calls are those of declared operations, if there are any; each of them is called at most once. */
const declaredOf = (
  random: Random.Stream,
  declared: ReadonlyArray<DeclaredCall>,
  calls: ReadonlyArray<AnyCall>
): DeclaredCall | undefined => {
  const left = declared.filter(({ name }) => calls.every((call) => operationOf(call) !== name))
  return left.length > 0 && random() < 0.5 ? one(random, left) : undefined
}

/** The subscriber of an earlier upsert, with which the client could confuse this one; never the same credentials again. */
const sameSubscriber = (random: Random.Stream, upsert: CheckedUpsert, calls: ReadonlyArray<AnyCall>): CheckedUpsert => {
  const first = calls.find((call) => call.operation === "credentials.upsert")
  if (first === undefined || random() < 0.5) return upsert
  const { subscriberId } = first
  const isStored = calls.some(
    (call) =>
      call.operation === "credentials.upsert" &&
      call.subscriberId === subscriberId &&
      call.providerId === upsert.providerId
  )
  return isStored ? upsert : { ...upsert, subscriberId }
}

/** Calls in order. Writes store different things; what is not appended is sometimes requested again. */
const callsOf = (
  random: Random.Stream,
  records: EnvironmentRecords,
  { aborts, declared }: ProgramOptions
): ReadonlyArray<AnyCall> => {
  const calls: Array<AnyCall> = []
  const left = records.subscribers.map(({ subscriberId }) => subscriberId)
  const count = one(random, [1, 1, 2, 3])
  for (let number = 1; number <= count; number += 1) {
    const last = calls.at(-1)
    const [known = ""] = left.splice(Random.whole(random, 0, left.length - 1), 1)
    const subscriberId = random() < 0.1 ? one(random, strangers) : known
    const kind = one(random, ["upsert", "upsert", "upsert", "mark", "mark", "list", "list", "again"] as const)
    const again =
      kind === "again" && last?.operation !== "credentials.upsert" && last?.operation !== "declared" ? last : undefined
    const mark = kind === "mark" ? markOf(random, records, known) : undefined
    const list = kind === "list" ? listOf(random, records) : undefined
    const call =
      declaredOf(random, declared, calls) ??
      again ??
      mark ??
      list ??
      sameSubscriber(
        random,
        upsertOf(random, records, subscriberId, `${number}-${Random.whole(random, 1_000, 9_999)}`, true),
        calls
      )
    calls.push(aborts ? { ...call, ...abortOf(random) } : call)
  }
  return calls
}

/** One program in this many makes its calls at the same time, if any does. */
const concurrentEvery = 10

/** Three upserts at the same time, without faults: of one subscriber and provider, or of three subscribers. */
const concurrentProgram = (random: Random.Stream, options: ProgramOptions): CheckProgram => {
  const switches = { "response.requestId": "x-request-id", "credentials.concurrent": "lost-updates" } as const
  const environment: PlainEnvironmentOptions = {
    ...environmentOf(random, options),
    preset: "document",
    switches,
    faults: []
  }
  const { subscribers } = recordsFor(environment)
  const first = Random.whole(random, 0, subscribers.length - 3)
  const isOne = random() < 0.7
  const providerId = one(random, ["apns", "expo"] as const)
  const calls = [0, 1, 2].map((number): CheckedCall => ({
    operation: "credentials.upsert",
    subscriberId: subscribers[isOne ? first : first + number]?.subscriberId ?? "",
    providerId,
    credentials: { deviceTokens: [`check-token-${number}-${Random.whole(random, 1_000, 9_999)}`] }
  }))
  return { environment, calls }
}

export const generateProgram = (number: number, options: ProgramOptions): CheckProgram => {
  const random = Random.stream(Random.hash(options.seed, "program", number))
  if (options.concurrent && number % concurrentEvery === concurrentEvery - 1) return concurrentProgram(random, options)
  const environment = environmentOf(random, options)
  const calls = callsOf(random, recordsFor(environment), options)
  return { environment, calls }
}

/** A program without faults that calls each operation: a client that does not pass it is not connected. */
export const plainProgram = (options: ProgramOptions): CheckProgram => {
  const random = Random.stream(options.seed)
  const environment = { ...environmentOf(random, options), preset: "document" as const, switches: {}, faults: [] }
  const records = recordsFor(environment)
  const [reader, writer] = records.messages.map(({ subscriberId }) => subscriberId)
  const mark = markOf(random, records, reader ?? "")
  const calls = [
    upsertOf(random, records, writer ?? "", "plain", false),
    ...(mark === undefined ? [] : [mark]),
    { operation: "events.list", limit: 10 } as const,
    ...options.declared.filter(({ name }, at) => options.declared.findIndex((other) => other.name === name) === at)
  ]
  return { environment, calls }
}

const without = <Item>(items: ReadonlyArray<Item>, index: number): ReadonlyArray<Item> =>
  items.filter((_, at) => at !== index)

const smallerCalls = ({ abortAfterMs, ...call }: AnyCall): ReadonlyArray<AnyCall> => {
  if (abortAfterMs !== undefined)
    return [call, ...smallerCalls(call).map((smaller) => Object.assign({ abortAfterMs }, smaller))]
  switch (call.operation) {
    case "declared":
      return []
    case "credentials.upsert": {
      const { deviceTokens = [], ...credentials } = call.credentials
      if (deviceTokens.length < 2) return []
      return [{ ...call, credentials: { ...credentials, deviceTokens: deviceTokens.slice(0, 1) } }]
    }
    case "messages.markAs":
      return call.messageId.length < 2 ? [] : [{ ...call, messageId: call.messageId.slice(0, 1) }]
    case "events.list": {
      const { limit, operation, ...filters } = call
      return Object.keys(filters).length === 0 ? [] : [{ operation, limit }]
    }
  }
}

const smallerFaults = ({ times, ...fault }: Fault.FaultJson): ReadonlyArray<Fault.FaultJson> =>
  times === undefined ? [] : [{ ...fault, request: 1 }, ...(times === 2 ? [] : [{ ...fault, times: 2 }])]

/** Programs that are a little smaller, the smallest first. */
export const smallerPrograms = ({ calls, environment }: CheckProgram): ReadonlyArray<CheckProgram> => {
  const { faults = [], preset, switches, ...rest } = environment
  const programs: ReadonlyArray<CheckProgram> = [
    ...(calls.length < 2 ? [] : calls.map((_, at) => ({ environment, calls: without(calls, at) }))),
    ...faults.map((_, at) => ({ environment: { ...environment, faults: without(faults, at) }, calls })),
    ...(preset === undefined && switches === undefined ? [] : [{ environment: { ...rest, faults }, calls }]),
    ...(switches === undefined || preset === undefined ? [] : [{ environment: { ...rest, switches, faults }, calls }]),
    ...(switches === undefined || preset === undefined ? [] : [{ environment: { ...rest, preset, faults }, calls }]),
    ...faults.flatMap((fault, at) =>
      smallerFaults(fault).map((smaller) => ({
        environment: { ...environment, faults: faults.with(at, smaller) },
        calls
      }))
    ),
    ...calls.flatMap((call, at) =>
      smallerCalls(call).map((smaller) => ({ environment, calls: calls.with(at, smaller) }))
    )
  ]
  // Without the one or the other of two equal calls, a program is the same.
  return [...new Map(programs.map((program) => [JSON.stringify(program), program])).values()]
}

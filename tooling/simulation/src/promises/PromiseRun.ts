/**
 * Runs a program of the Promise client on virtual time and records what happened.
 */
import * as Effect from "effect/Effect"
import {
  type CallOptions,
  type CallResult,
  type Client,
  ClientClosed,
  type ClientOptions,
  createClient,
  type MarkManyResult,
  type PageOfWalk,
  type Subscriber,
  type UpsertCredentialsError,
  type UpsertInput
} from "@signalbox/sdk"
import type { EnvironmentRecords, EnvironmentSnapshot, Fake, JournalEntry, Switches } from "@signalbox/test-harness"
import type { Observed } from "../Family.ts"
import { arm } from "../FaultPlan.ts"
import { createdAt, makeWriteService } from "../WriteService.ts"
import { inFakeTime, type Leftovers, settleTurns } from "../FakeTime.ts"
import { start } from "../VirtualTime.ts"
import { type ObservedKeys, rotatedKeys, rotateKeys, sameKey } from "./KeyRotation.ts"
import type { PromiseScenario, StateLoss } from "./PromiseScenario.ts"
import { crashOn, idsIn, recordResponses, type SentResponse } from "./StateLoss.ts"

/** Makes the client of a program. */
export type PromiseClientUnderTest = (options: ClientOptions) => Client

/** The outcome of one upsert. */
export interface ReceivedOutcome {
  readonly index: number
  readonly at: number
  readonly result: CallResult<Subscriber, UpsertCredentialsError>
}

/** Records that a walk returned together. */
export interface ReceivedPage {
  readonly at: number
  readonly records: PageOfWalk["data"]
}

/** How a program ended. */
export type ProgramEnd = { readonly _tag: "Completed" } | { readonly _tag: "Threw"; readonly error: unknown }

/** The record of a program; times are milliseconds since 1970 on the virtual clock. */
export interface PromiseObservation extends Observed {
  readonly scenario: PromiseScenario
  readonly apiKey: string
  /** How many outcomes were missing whenever an input was taken. */
  readonly taken: ReadonlyArray<{ readonly pending: number }>
  readonly outcomes: ReadonlyArray<ReceivedOutcome>
  readonly marked: MarkManyResult | undefined
  readonly walked: ReadonlyArray<ReceivedPage>
  readonly existing: ReadonlyArray<ExistingEvent>
  /** Ids of the records of each listing, and of those that the service sent for it. */
  readonly listed: ReadonlyArray<{ readonly ids: ReadonlyArray<string>; readonly sent: ReadonlyArray<string> }>
  /** The responses of the service. */
  readonly sent: ReadonlyArray<SentResponse>
  /** The requests whose effects the service lost. */
  readonly lost: ReadonlySet<JournalEntry>
  readonly keys: ObservedKeys
  readonly end: ProgramEnd
  readonly endedAt: number
  /** When the caller aborted or closed; `undefined` when it did neither before the end. */
  readonly stoppedAt: number | undefined
  readonly abortReason: unknown
  /** Whether a call after `close()` was rejected without a request. */
  readonly isClosedForGood: boolean
  readonly leftovers: Leftovers
  /** Everything that the client reported: debug lines, drift and attempts. */
  readonly reports: ReadonlyArray<string>
  readonly switches: Switches
  /** The state of the service at the end. */
  readonly state: EnvironmentRecords
  readonly read: ReadonlySet<string>
}

/** The subscriber of an input. */
export const subscriberOf = (index: number): string => `subscriber-${index}`

/** The device tokens of an input; `undefined` where it has a webhook instead. */
const tokensOf = ({ hasTokens }: PromiseScenario, index: number): ReadonlyArray<string> | undefined =>
  hasTokens ? [`phone-token-of-${index}`, `watch-token-of-${index}`] : undefined

const webhookOf = (index: number): string => `https://chat.test/hooks/webhook-secret-of-${index}`

/** The id of a message or event. */
export const idOf = (index: number): string => index.toString(16).padStart(24, "0")

/** An event that exists before the program starts. */
interface ExistingEvent {
  readonly id: string
  readonly createdAt: number
  readonly subscriberId: string
}

const existingEvents = ({ ahead, count, pages, work }: PromiseScenario): ReadonlyArray<ExistingEvent> => {
  const event = (createdAt: number, index: number) => ({
    id: idOf(index),
    createdAt,
    subscriberId: subscriberOf(index)
  })
  if (work === "pages") return pages.ages.map((age, index) => event(start + ahead - age, index))
  return work === "walk" || work === "lists"
    ? Array.from({ length: count }, (_, index) => event(createdAt + index, index))
    : []
}

/** All strings that no report may show. */
export const secretsOf = ({ apiKey, scenario }: PromiseObservation): ReadonlyArray<string> => [
  ...(scenario.rotation === undefined ? [apiKey] : rotatedKeys.flatMap((key) => [key, encodeURIComponent(key)])),
  ...Array.from({ length: scenario.count }, (_, index) => tokensOf(scenario, index) ?? [webhookOf(index)]).flat()
]

/** The input of an upsert. */
export const inputOf = (scenario: PromiseScenario, index: number): UpsertInput => {
  const deviceTokens = tokensOf(scenario, index)
  return deviceTokens === undefined
    ? { subscriberId: subscriberOf(index), providerId: "slack", credentials: { webhookUrl: webhookOf(index) } }
    : { subscriberId: subscriberOf(index), providerId: "fcm", credentials: { deviceTokens } }
}

/** Fills a service, which may lose its state. */
const prepare = (fake: Fake, scenario: PromiseScenario): Pick<PromiseObservation, "existing" | "lost"> => {
  const { count, loss, work } = scenario
  fake.addWorkflow({ identifier: "greeting", createdAt, steps: [{ type: "in_app" }] })
  const backups = new Map<string, EnvironmentSnapshot>()
  const backUp = (name: StateLoss["restartsFrom"]) => {
    if (loss?.restartsFrom === name) backups.set(name, fake.snapshot())
  }
  const indexes = Array.from({ length: count }, (_, index) => index)
  const existing = existingEvents(scenario)
  const subscribers = new Set(work === "markManyAs" ? [subscriberOf(0)] : indexes.map(subscriberOf))
  backUp("nothing")
  for (const subscriberId of subscribers) fake.addSubscriber({ subscriberId, createdAt, updatedAt: createdAt })
  backUp("subscribers")
  for (const index of indexes) {
    if (work === "markManyAs") {
      fake.addMessage({ id: idOf(index), subscriberId: subscriberOf(0), createdAt, deliveredAt: [createdAt] })
    }
  }
  // A listing has records of the same time in the order of their arrival.
  for (const event of existing.toSorted((one, other) => one.createdAt - other.createdAt)) {
    fake.addEvent({ ...event, workflow: "greeting" })
  }
  backUp("start")
  const backup = loss && backups.get(loss.restartsFrom)
  return { existing, lost: loss === undefined || backup === undefined ? new Set() : crashOn(fake, loss, backup) }
}

const keyAs = (form: PromiseScenario["apiKey"], key: () => string): ClientOptions["apiKey"] => {
  switch (form) {
    case "string":
      return key()
    case "function":
      return key
    case "async function":
      return async () => key()
  }
}

/** The connection of a client to a service, through whatever the scenario puts between them. */
const connect = (scenario: PromiseScenario, fake: Fake) => {
  const { apiKey, rotation } = scenario
  const recorded = recordResponses(fake.fetch)
  const rotating = rotation && rotateKeys(scenario, rotation, { fetch: recorded.fetch, apiKey: fake.apiKey })
  return {
    apiKey: keyAs(apiKey, rotating?.apiKey ?? (() => fake.apiKey)),
    fetch: rotating?.fetch ?? recorded.fetch,
    sent: recorded.sent,
    keys: rotating?.observed ?? (() => sameKey)
  }
}

const keyPolicyOf = ({ honoursKeys, key }: PromiseScenario): ClientOptions["idempotency"] =>
  key === "off"
    ? key
    : { serviceHonoursKeys: honoursKeys, ...(key === "derived" ? { derived: { scope: "the work" } } : {}) }

const optionsOf = (scenario: PromiseScenario): Partial<ClientOptions> => ({
  retry: scenario.retry === "none" ? false : {},
  timeouts: scenario.timeouts === "short" ? { attemptMs: 1_000, callMs: 4_000 } : {},
  idempotency: keyPolicyOf(scenario)
})

const sleep = (ms: number): Promise<void> => new Promise((resolve) => void setTimeout(resolve, ms))

/** A program: its use of the client, and the records that it makes on the way. */
const makeProgram = (
  scenario: PromiseScenario,
  [client, other]: readonly [Client, Client],
  signal: AbortSignal,
  sent: ReadonlyArray<SentResponse>
) => {
  const { concurrency, count, order, pause, work } = scenario
  const taken: Array<{ readonly pending: number }> = []
  const outcomes: Array<ReceivedOutcome> = []
  const walked: Array<ReceivedPage> = []
  const listed: Array<PromiseObservation["listed"][number]> = []
  let marked: MarkManyResult | undefined
  const indexes = Array.from({ length: count }, (_, index) => index)
  const callOptions: CallOptions = { signal }

  function* source() {
    for (const index of indexes) {
      taken.push({ pending: taken.length - outcomes.length })
      yield inputOf(scenario, index)
    }
  }

  const upsert = async (index: number): Promise<void> => {
    const { subscriberId, ...input } = inputOf(scenario, index)
    taken.push({ pending: 0 })
    const result = await client.credentials.upsert.result(subscriberId, input, callOptions)
    outcomes.push({ index, at: Date.now(), result })
  }

  const list = async (): Promise<void> => {
    const result = await client.events.list.result({ limit: 5 }, callOptions)
    const response = sent.at(-1)
    if (!result.ok || response === undefined || result.call.unreadable.length > 0) return
    listed.push({ ids: result.value.data.map(({ _id }) => _id ?? "no id"), sent: idsIn(response) })
  }

  const receive = async (records: ReceivedPage["records"]): Promise<void> => {
    walked.push({ at: Date.now(), records })
    if (pause > 0) await sleep(pause)
  }

  /** Receives at most this many pages; returns the cursor of the last one, unless the walk ended before. */
  const walkPages = async (walker: Client, pages: number, from?: string): Promise<string | undefined> => {
    const { limit, prefetch } = scenario.pages
    let received = 0
    for await (const page of walker.events.list({ limit }, callOptions).pages({ prefetch, cursor: from })) {
      await receive(page.data)
      if (++received === pages) return page.cursor
    }
    return undefined
  }

  const run = async (): Promise<void> => {
    switch (work) {
      case "calls":
        await Promise.all(indexes.map(upsert))
        return
      case "lists":
        for (const index of indexes) {
          await list()
          await upsert(index)
          await list()
        }
        return
      case "upsertMany":
        for await (const outcome of client.credentials.upsertMany(source(), { ...callOptions, concurrency, order })) {
          outcomes.push({ index: outcome.index, at: Date.now(), result: outcome })
          if (pause > 0) await sleep(pause)
        }
        return
      case "markManyAs": {
        const ids = indexes.map(idOf)
        marked = await client.messages.markManyAs.result(subscriberOf(0), ids, "read", { ...callOptions, concurrency })
        return
      }
      case "walk":
        for await (const event of client.events.list({ limit: 2 }, callOptions)) await receive([event])
        return
      case "pages": {
        const { resumesAfter = Infinity, stopsAfter = Infinity } = scenario.pages
        const first = Math.min(resumesAfter, stopsAfter)
        const cursor = await walkPages(client, first)
        if (cursor !== undefined && first < stopsAfter) await walkPages(other, stopsAfter - first, cursor)
      }
    }
  }

  return { run, taken, outcomes, walked, listed, marked: () => marked }
}

const play = async (
  scenario: PromiseScenario,
  makeClient: PromiseClientUnderTest,
  fake: Fake
): Promise<() => Omit<PromiseObservation, "leftovers">> => {
  const reports: Array<string> = []
  const { existing, lost } = prepare(fake, scenario)
  const fired = arm(fake, scenario.faults)
  const { apiKey, fetch, keys, sent } = connect(scenario, fake)
  const options: ClientOptions = {
    ...optionsOf(scenario),
    apiKey,
    baseUrl: fake.baseUrl,
    fetch,
    debug: (line) => void reports.push(line),
    onDrift: (report) => void reports.push(JSON.stringify(report)),
    onAttempt: (attempt) => void reports.push(JSON.stringify(attempt))
  }
  const clients = [makeClient(options), makeClient(options)] as const
  const close = () => Promise.all(clients.map((client) => client.close()))
  const controller = new AbortController()
  const abortReason = new Error("the caller aborted")
  const { marked, run, ...seen } = makeProgram(scenario, clients, controller.signal, sent)
  let isOver = false
  let stoppedAt: number | undefined
  const stop = () => {
    if (isOver || stoppedAt !== undefined || scenario.stop === "none") return
    stoppedAt = Date.now()
    if (scenario.stop === "abort") controller.abort(abortReason)
    else void close()
  }
  const timer = scenario.stopsOnRequest === 0 ? setTimeout(stop, scenario.stopsAt) : undefined
  const arrivals = scenario.pages.arriving.map((after, index) =>
    setTimeout(
      () => fake.addEvent({ id: `a${idOf(index).slice(1)}`, subscriberId: "ann", workflow: "greeting" }),
      after
    )
  )
  const unsubscribe = fake.journal.subscribe(({ number, points }) => {
    const isPoint = points.at(-1)?.point === scenario.stopsAtPoint
    if (number === scenario.stopsOnRequest && isPoint) queueMicrotask(stop)
  })
  const end = await run().then(
    (): ProgramEnd => ({ _tag: "Completed" }),
    (error: unknown): ProgramEnd => ({ _tag: "Threw", error })
  )
  isOver = true
  for (const one of [timer, ...arrivals]) clearTimeout(one)
  unsubscribe()
  const endedAt = Date.now()
  await close()
  await settleTurns()
  const requests = fake.journal.entries().length
  const late = await clients[0].events.list.result()
  const isRejected = !late.ok && late.error instanceof ClientClosed
  const isClosedForGood = isRejected && fake.journal.entries().length === requests
  return () => {
    const state = fake.state()
    return {
      ...seen,
      scenario,
      apiKey: fake.apiKey,
      marked: marked(),
      existing,
      sent,
      lost,
      keys: keys(),
      end,
      endedAt,
      stoppedAt,
      abortReason,
      isClosedForGood,
      reports,
      journal: fake.journal.entries(),
      fired: fired(),
      switches: fake.switches,
      state,
      read: new Set(state.messages.flatMap(({ id, read }) => (read ? [id] : [])))
    }
  }
}

const observe = async (scenario: PromiseScenario, client: PromiseClientUnderTest): Promise<PromiseObservation> => {
  const { leftovers, result } = await inFakeTime(scenario.seed, (clock) =>
    play(scenario, client, makeWriteService(scenario, clock))
  )
  // The service has finished its own work by now.
  if (result === undefined) throw new Error("the program did not finish")
  return { ...result(), leftovers }
}

/** Runs a program and records what happened. */
export const runPromises = (
  scenario: PromiseScenario,
  client: PromiseClientUnderTest
): Effect.Effect<PromiseObservation> => Effect.promise(() => observe(scenario, client))

/** The Promise client that ships. */
export const shippedPromises: PromiseClientUnderTest = createClient

/**
 * Runs a program of the Promise client on virtual time and records what happened.
 */
import * as Effect from "effect/Effect"
import {
  type CallAborted,
  type CallOptions,
  type CallResult,
  type Client,
  ClientClosed,
  type ClientOptions,
  createClient,
  type MarkManyResult,
  type Subscriber,
  type UpsertCredentialsError,
  type UpsertInput
} from "@signalbox/sdk"
import { createFake, type Fake, type FakeClock } from "@signalbox/test-harness"
import type { Observed } from "../Family.ts"
import { arm } from "../FaultPlan.ts"
import { start } from "../VirtualTime.ts"
import { inFakeTime, type Leftovers, settleTurns } from "./FakeTime.ts"
import type { PromiseScenario } from "./PromiseScenario.ts"

/** Makes the client of a program. */
export type PromiseClientUnderTest = (options: ClientOptions) => Client

/** The outcome of one upsert. */
export interface ReceivedOutcome {
  readonly index: number
  readonly at: number
  readonly result: CallResult<Subscriber, UpsertCredentialsError>
}

/** How a program ended. */
export type ProgramEnd = { readonly _tag: "Completed" } | { readonly _tag: "Threw"; readonly error: unknown }

/** What a program recorded; times are milliseconds since 1970 on the virtual clock. */
export interface PromiseObservation extends Observed {
  readonly scenario: PromiseScenario
  readonly apiKey: string
  /** How many outcomes were missing whenever an input was taken. */
  readonly taken: ReadonlyArray<{ readonly pending: number }>
  readonly outcomes: ReadonlyArray<ReceivedOutcome>
  readonly marked: MarkManyResult | undefined
  /** Ids of the records that a walk returned. */
  readonly walked: ReadonlyArray<string>
  readonly end: ProgramEnd
  readonly endedAt: number
  /** When the caller aborted or closed; `undefined` when it did neither before the end. */
  readonly stoppedAt: number | undefined
  readonly abortReason: unknown
  /** Whether a call after `close()` was rejected without a request. */
  readonly isClosedForGood: boolean
  readonly leftovers: Leftovers
  /** Timers of the client that run after `close()`. */
  readonly timers: number
  /** Everything that the client reported: debug lines, drift and attempts. */
  readonly reports: ReadonlyArray<string>
  readonly tokens: ReadonlyMap<string, ReadonlyArray<string>>
  readonly read: ReadonlySet<string>
}

/** The subscriber of an input. */
export const subscriberOf = (index: number): string => `subscriber-${index}`

/** The device tokens of an input; `undefined` where it has a webhook instead. */
export const tokensOf = ({ hasTokens }: PromiseScenario, index: number): ReadonlyArray<string> | undefined =>
  hasTokens ? [`phone-token-of-${index}`, `watch-token-of-${index}`] : undefined

const webhookOf = (index: number): string => `https://chat.test/hooks/webhook-secret-of-${index}`

/** The id of a message or event. */
export const idOf = (index: number): string => index.toString(16).padStart(24, "0")

/** All strings that no report may show. */
export const secretsOf = ({ apiKey, scenario }: PromiseObservation): ReadonlyArray<string> => [
  apiKey,
  ...Array.from({ length: scenario.count }, (_, index) => tokensOf(scenario, index) ?? [webhookOf(index)]).flat()
]

const inputOf = (scenario: PromiseScenario, index: number): UpsertInput => {
  const deviceTokens = tokensOf(scenario, index)
  return deviceTokens === undefined
    ? { subscriberId: subscriberOf(index), providerId: "slack", credentials: { webhookUrl: webhookOf(index) } }
    : { subscriberId: subscriberOf(index), providerId: "fcm", credentials: { deviceTokens } }
}

/** A clock of the service that counts its own timers. */
const makeServiceClock = () => {
  const running = new Set<ReturnType<typeof setTimeout>>()
  const clock: FakeClock = {
    now: () => Date.now(),
    schedule: (ms, callback) => {
      const timer = setTimeout(() => {
        running.delete(timer)
        callback()
      }, ms)
      running.add(timer)
      return () => {
        running.delete(timer)
        clearTimeout(timer)
      }
    }
  }
  return { clock, timers: () => running.size }
}

const makeService = ({ count, honoursKeys, preset, seed, work }: PromiseScenario, clock: FakeClock): Fake => {
  const createdAt = start - 60_000
  const fake = createFake({
    seed,
    data: "empty",
    clock,
    preset: preset === "seeded" ? `seeded(${seed})` : preset,
    switches: honoursKeys
      ? { "idempotency.sameBody": "replay", "idempotency.inFlight": "409" }
      : { "idempotency.sameBody": "apply" }
  })
  fake.addIntegration({ providerId: "fcm", createdAt })
  fake.addIntegration({ providerId: "slack", createdAt })
  fake.addWorkflow({ identifier: "greeting", createdAt, steps: [{ type: "in_app" }] })
  for (let index = 0; index < count; index++) {
    const subscriberId = work === "markManyAs" ? subscriberOf(0) : subscriberOf(index)
    if (index === 0 || work !== "markManyAs") fake.addSubscriber({ subscriberId, createdAt, updatedAt: createdAt })
    if (work === "markManyAs") {
      fake.addMessage({ id: idOf(index), subscriberId, createdAt, deliveredAt: [createdAt] })
    }
    if (work === "walk") {
      fake.addEvent({ id: idOf(index), subscriberId, workflow: "greeting", createdAt: createdAt + index })
    }
  }
  return fake
}

const optionsOf = (scenario: PromiseScenario): Partial<ClientOptions> => ({
  retry: scenario.retry === "none" ? false : {},
  timeouts: scenario.timeouts === "short" ? { attemptMs: 1_000, callMs: 4_000 } : {},
  idempotency: { serviceHonoursKeys: scenario.honoursKeys }
})

const sleep = (ms: number): Promise<void> => new Promise((resolve) => void setTimeout(resolve, ms))

/** A program: what it does with its client, and what it records on the way. */
const makeProgram = (scenario: PromiseScenario, client: Client, signal: AbortSignal) => {
  const { concurrency, count, order, pause, work } = scenario
  const taken: Array<{ readonly pending: number }> = []
  const outcomes: Array<ReceivedOutcome> = []
  const walked: Array<string> = []
  let marked: MarkManyResult | undefined
  const indexes = Array.from({ length: count }, (_, index) => index)
  const callOptions: CallOptions = { signal }

  function* source() {
    for (const index of indexes) {
      taken.push({ pending: taken.length - outcomes.length })
      yield inputOf(scenario, index)
    }
  }

  const run = async (): Promise<void> => {
    switch (work) {
      case "calls":
        await Promise.all(
          indexes.map(async (index) => {
            const { subscriberId, ...input } = inputOf(scenario, index)
            taken.push({ pending: 0 })
            const result = await client.credentials.upsert.result(subscriberId, input, callOptions)
            outcomes.push({ index, at: Date.now(), result })
          })
        )
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
        for await (const { _id } of client.events.list({ limit: 2 }, callOptions)) {
          walked.push(_id ?? "no id")
          if (pause > 0) await sleep(pause)
        }
    }
  }

  return { run, taken, outcomes, walked, marked: () => marked }
}

const isClosed = (error: CallAborted | unknown): boolean => error instanceof ClientClosed

const play = async (scenario: PromiseScenario, makeClient: PromiseClientUnderTest): Promise<PromiseObservation> => {
  const reports: Array<string> = []
  let parts: Omit<PromiseObservation, "leftovers" | "journal" | "fired" | "tokens" | "read"> | undefined
  let faults: { readonly fake: Fake; readonly fired: () => ReadonlyArray<string> } | undefined

  const leftovers = await inFakeTime(scenario.seed, async (time) => {
    const service = makeServiceClock()
    const fake = makeService(scenario, service.clock)
    faults = { fake, fired: arm(fake, scenario.faults) }
    const client = makeClient({
      ...optionsOf(scenario),
      apiKey: fake.apiKey,
      baseUrl: fake.baseUrl,
      fetch: fake.fetch,
      debug: (line) => void reports.push(line),
      onDrift: (report) => void reports.push(JSON.stringify(report)),
      onAttempt: (attempt) => void reports.push(JSON.stringify(attempt))
    })
    const controller = new AbortController()
    const abortReason = new Error("the caller aborted")
    const program = makeProgram(scenario, client, controller.signal)
    let isOver = false
    let stoppedAt: number | undefined
    const stop = () => {
      if (isOver || stoppedAt !== undefined || scenario.stop === "none") return
      stoppedAt = Date.now()
      if (scenario.stop === "abort") controller.abort(abortReason)
      else void client.close()
    }
    const timer = scenario.stopsOnRequest === 0 ? setTimeout(stop, scenario.stopsAt) : undefined
    const unsubscribe = fake.journal.subscribe(({ number, points }) => {
      const isPoint = points.at(-1)?.point === scenario.stopsAtPoint
      if (number === scenario.stopsOnRequest && isPoint) queueMicrotask(stop)
    })
    let end: ProgramEnd = { _tag: "Completed" }
    try {
      await program.run()
    } catch (error) {
      end = { _tag: "Threw", error }
    }
    isOver = true
    clearTimeout(timer)
    unsubscribe()
    const endedAt = Date.now()
    await client.close()
    await settleTurns()
    const timers = time.timers() - service.timers()
    const requests = fake.journal.entries().length
    const late = await client.events.list.result()
    parts = {
      scenario,
      apiKey: fake.apiKey,
      taken: program.taken,
      outcomes: program.outcomes,
      marked: program.marked(),
      walked: program.walked,
      end,
      endedAt,
      stoppedAt,
      abortReason,
      isClosedForGood: !late.ok && isClosed(late.error) && fake.journal.entries().length === requests,
      reports,
      timers
    }
  })
  if (parts === undefined || faults === undefined) throw new Error("the program did not finish")
  const { fake, fired } = faults
  const state = fake.state()
  return {
    ...parts,
    leftovers,
    journal: fake.journal.entries(),
    fired: fired(),
    tokens: new Map(
      state.subscribers.map(({ channels, subscriberId }) => [
        subscriberId,
        channels.flatMap(({ credentials }) => credentials.deviceTokens ?? [])
      ])
    ),
    read: new Set(state.messages.flatMap(({ id, read }) => (read ? [id] : [])))
  }
}

/** Runs a program and records what happened. */
export const runPromises = (
  scenario: PromiseScenario,
  client: PromiseClientUnderTest
): Effect.Effect<PromiseObservation> => Effect.promise(() => play(scenario, client))

/** The Promise client that ships. */
export const shippedPromises: PromiseClientUnderTest = createClient

/**
 * Fills a state with realistic data, from one record to 100,000 events; the same seed gives the same data.
 */
import * as HashMap from "effect/HashMap"
import * as Schema from "effect/Schema"
import { inputCheck, integer } from "../input/Input.ts"
import * as EventLog from "../state/EventLog.ts"
import type { EnvironmentState } from "../state/EnvironmentState.ts"
import * as Random from "../random/Random.ts"
import type { JsonObject } from "@signalbox/core/internal/reading/JsonObject"
import type { EventRecord, Severity, WorkflowRecord } from "../state/Records.ts"
import { addSubscriber } from "../state/Subscribers.ts"
import { addMessage } from "./Builders.ts"

/** How many records to generate: at most 100,000 of each kind at once. */
export interface Amounts {
  /** Subscribers to add. */
  readonly subscribers?: number
  /** Events to add; the state must have workflows. */
  readonly events?: number
  /** In-app messages to add. */
  readonly messages?: number
  /** The events are spread over this time before now. Default: 30 days. */
  readonly spanMs?: number
}

const firstNames = [
  "Ana",
  "Bo",
  "Chidi",
  "Dilan",
  "Elif",
  "Farid",
  "Greta",
  "Hana",
  "Ivo",
  "June",
  "Kai",
  "Lea"
] as const

const lastNames = [
  "Adler",
  "Brooks",
  "Castro",
  "Dube",
  "Eriksen",
  "Fontana",
  "Goto",
  "Hughes",
  "Ito",
  "Jansen"
] as const

const severities: readonly [Severity, ...ReadonlyArray<Severity>] = ["none", "low", "medium", "high"]

const topicKeys = ["announcements", "team-blue", "team-green", "region-eu", "region-us"] as const

// 100,000 events are 60 MB; much more than that would crash the process with all its environments.
/** The most records of one kind that can be generated at once. */
export const maxAmount = 100_000

const maxSpanMs = 100 * 365 * 86_400_000

const amount = Schema.optionalKey(integer(0, maxAmount))

/** The schema of {@link Amounts}. @internal */
export const AmountsInput = Schema.Struct({
  subscribers: amount,
  events: amount,
  messages: amount,
  spanMs: Schema.optionalKey(
    Schema.Finite.check(
      Schema.isBetween({ minimum: 0, maximum: maxSpanMs }, { expected: "milliseconds from 0 to 100 years" })
    )
  )
})

const checkAmounts = inputCheck("generate", () => AmountsInput)

/** A copy whose maps change in place until {@link readOnly}: copying them for each of 100,000 records takes seconds. */
const writable = (state: EnvironmentState): EnvironmentState => ({
  ...state,
  subscribers: HashMap.beginMutation(state.subscribers),
  emails: HashMap.beginMutation(state.emails),
  messages: HashMap.beginMutation(state.messages)
})

const readOnly = (state: EnvironmentState): EnvironmentState => ({
  ...state,
  subscribers: HashMap.endMutation(state.subscribers),
  emails: HashMap.endMutation(state.emails),
  messages: HashMap.endMutation(state.messages)
})

/** How many records are made at once: a server responds to other requests in between. */
const sliceSize = 2_000

/** Adds the next records. */
type Slice = (state: EnvironmentState) => EnvironmentState

/** Slices of a number of records; each one adds those from `from` to before `to`. */
const slicesOf = (count: number, add: (from: number, to: number) => Slice): ReadonlyArray<Slice> =>
  Array.from({ length: Math.ceil(count / sliceSize) }, (_, index) =>
    add(index * sliceSize, Math.min(count, (index + 1) * sliceSize))
  )

const subscriberSlice =
  (now: number) =>
  (from: number, to: number): Slice =>
  (before) => {
    let state = writable(before)
    for (let number = from; number < to; number += 1) {
      const random = Random.stream(Random.hash(before.seed, "subscriber", number))
      const firstName = Random.pick(random, firstNames)
      const lastName = Random.pick(random, lastNames)
      const subscriberId = `user-${(number + 1).toString().padStart(5, "0")}`
      ;({ state } = addSubscriber(state, now - Random.whole(random, 1, 400) * 86_400_000, {
        subscriberId,
        firstName,
        lastName,
        email: `${firstName}.${lastName}.${number + 1}@example.test`.toLowerCase(),
        ...(Random.whole(random, 0, 3) === 0 ? {} : { phone: `+1555${(1_000_000 + number).toString()}` }),
        locale: "en"
      }))
    }
    return readOnly(state)
  }

const payloadOf = (seed: number): JsonObject => {
  const random = Random.stream(seed)
  return {
    orderId: `ord_${Random.hash(seed, "order").toString(36)}`,
    amount: Random.whole(random, 500, 250_000) / 100,
    currency: Random.pick(random, ["EUR", "USD", "GBP"]),
    items: Array.from({ length: Random.whole(random, 1, 3) }, (_, at) => ({
      sku: `SKU-${Random.whole(random, 1000, 9999)}`,
      quantity: at + 1
    }))
  }
}

interface Source {
  readonly seed: number
  readonly idSeed: number
  readonly subscriberIds: ReadonlyArray<string>
  readonly workflows: readonly [WorkflowRecord, ...ReadonlyArray<WorkflowRecord>]
  readonly channels: ReadonlyMap<string, ReadonlyArray<string>>
}

/** An event that computes its payload when it is read. A getter of each object would take more memory than all of its fields. */
class GeneratedEvent {
  declare readonly seed: number

  get payload(): JsonObject {
    return payloadOf(this.seed)
  }

  /** With its payload, which is a getter of the class. */
  toJSON(): object {
    return { ...this, payload: this.payload }
  }
}

const none: ReadonlyArray<never> = []

/** An event whose payload and jobs are computed when it is read. */
const makeEvent = (source: Source, sequence: number, createdAt: number): EventRecord => {
  const seed = Random.hash(source.seed, "event", sequence)
  const random = Random.stream(seed)
  const workflow = Random.pick(random, source.workflows)
  const subscriberId = source.subscriberIds[Math.floor(random() * source.subscriberIds.length)] ?? ""
  const topicKey = Random.whole(random, 1, 8) === 1 ? Random.pick(random, topicKeys) : undefined
  return Object.assign(new GeneratedEvent(), {
    id: Random.objectId(source.idSeed, "event", sequence),
    sequence,
    createdAt,
    subscriberId,
    workflowId: workflow.id,
    transactionId: Random.transactionId(source.idSeed, sequence),
    channels: source.channels.get(workflow.id) ?? [],
    severity: workflow.severity ?? Random.pick(random, severities),
    critical: workflow.critical,
    tags: workflow.tags,
    topics:
      topicKey === undefined
        ? none
        : [{ id: Random.objectId(source.idSeed, "topic", Random.hash(topicKey)), key: topicKey }],
    contextKeys: Random.whole(random, 1, 5) === 1 ? [`tenant:t${Random.whole(random, 1, 9)}`] : none,
    seed
  })
}

/** The workflows and subscribers of events; they must exist. */
const sourceOf = (state: EnvironmentState): Source => {
  const workflows = [...HashMap.values(state.workflows)].toSorted((one, other) => (one.id < other.id ? -1 : 1))
  const [first, ...others] = workflows
  const subscriberIds = subscriberIdsOf(state)
  if (first === undefined || subscriberIds.length === 0) {
    throw new RangeError("generate: events need a workflow and a subscriber; add them first")
  }
  return {
    seed: state.seed,
    idSeed: state.idSeed,
    subscriberIds,
    workflows: [first, ...others],
    channels: new Map(
      workflows.map(({ id, steps }) => [id, [...new Set(steps.filter(({ active }) => active).map(({ type }) => type))]])
    )
  }
}

const subscriberIdsOf = (state: EnvironmentState): ReadonlyArray<string> =>
  [...HashMap.keys(state.subscribers)].toSorted()

const eventSlice = (now: number, count: number, spanMs: number) => {
  let source: Source | undefined
  return (from: number, to: number): Slice =>
    (state) => {
      source ??= sourceOf(state)
      const made: Array<EventRecord> = []
      for (let number = from; number < to; number += 1) {
        // Evenly spread with some jitter, oldest first: ids and times grow together.
        const jitter = Random.hash(state.seed, "time", number) / 0x100000000
        const createdAt = Math.floor(now - spanMs + ((number + jitter) * spanMs) / count)
        made.push(makeEvent(source, state.sequence + number - from, createdAt))
      }
      return { ...state, sequence: state.sequence + made.length, events: EventLog.appendAll(state.events, made) }
    }
}

const messageSlice = (now: number) => {
  let subscriberIds: ReadonlyArray<string> = []
  return (from: number, to: number): Slice =>
    (before) => {
      if (from === 0) subscriberIds = subscriberIdsOf(before)
      let state = writable(before)
      for (let number = from; number < to; number += 1) {
        const random = Random.stream(Random.hash(before.seed, "message", number))
        const read = Random.whole(random, 1, 3) === 1
        const seen = read || Random.whole(random, 1, 2) === 1
        const at = now - Random.whole(random, 0, 86_400_000)
        ;({ state } = addMessage(state, at, {
          subscriberId: subscriberIds[number % subscriberIds.length] ?? "",
          read,
          seen,
          ...(read ? { lastReadDate: at } : {}),
          ...(seen ? { lastSeenDate: at } : {}),
          content: `Notification ${number + 1}`
        }))
      }
      return readOnly(state)
    }
}

/**
 * The slices in which subscribers, events and messages are added, to apply in order. Jobs, execution details and payloads
 * of the events are computed when they are read, so memory stays bounded.
 *
 * @throws RangeError if an amount is not from 0 to 100,000, or events or messages are requested without what they need.
 *
 * @internal
 */
export const generationSlices = (state: EnvironmentState, now: number, amounts: Amounts): ReadonlyArray<Slice> => {
  checkAmounts(amounts)
  const { events = 0, messages = 0, spanMs = 30 * 86_400_000, subscribers = 0 } = amounts
  const hasSubscribers = subscribers > 0 || HashMap.size(state.subscribers) > 0
  if (events > 0 && !(hasSubscribers && HashMap.size(state.workflows) > 0))
    throw new RangeError("generate: events need a workflow and a subscriber; add them first")
  if (messages > 0 && !hasSubscribers) throw new RangeError("generate: messages need a subscriber; add one first")
  return [
    ...slicesOf(subscribers, subscriberSlice(now)),
    ...slicesOf(events, eventSlice(now, events, spanMs)),
    ...slicesOf(messages, messageSlice(now))
  ]
}

/** Adds subscribers, events and messages at once. @internal */
export const generate = (before: EnvironmentState, now: number, amounts: Amounts): EnvironmentState =>
  generationSlices(before, now, amounts).reduce((state, slice) => slice(state), before)

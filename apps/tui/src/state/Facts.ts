import type { ActivityNotification, ChannelSettings, Message, Subscriber } from "@signalbox/core/Records"
import type { FileRunChanges } from "./FileRun.ts"
import type { MarkOutcome } from "./Mark.ts"

/** Where a fact came from and when. The API has no read for subscribers and messages, so every fact carries this. */
export interface Provenance {
  readonly source: string
  readonly at: number
}

/** The facts about a subscriber that any response may contain. */
export interface Profile {
  readonly _id?: string
  readonly firstName?: string
  readonly lastName?: string
  readonly email?: string
  readonly phone?: string
  readonly locale?: string
  readonly timezone?: string
  readonly isOnline?: boolean
  readonly lastOnlineAt?: string
  readonly updatedAt?: string
}

/** Facts about one subscriber. */
export interface SubscriberFacts {
  readonly subscriberId: string
  readonly profile: Profile
  readonly profileFrom: Provenance | undefined
  /** Absent until a response contained them: "none" and "not known" are different. */
  readonly channels?: ReadonlyArray<ChannelSettings>
  readonly channelsFrom?: Provenance
  /** When credentials were changed here, in milliseconds since 1970, by their key. */
  readonly changedAt?: ReadonlyMap<string, number>
}

/** Flags of a message that a mark changes. */
export interface Flags {
  readonly read?: boolean
  readonly seen?: boolean
}

/** Facts about one message: perhaps only its id. */
export interface MessageFacts {
  readonly id: string
  readonly subscriberId: string
  readonly message?: Message
  readonly from: Provenance
  /** The flags shown before the service responded. */
  readonly expected?: Flags
  /** Its outcome in the last mark that included it. */
  readonly outcome?: MarkOutcome
}

/** The facts collected from responses, by id. */
export interface Facts {
  readonly subscribers: ReadonlyMap<string, SubscriberFacts>
  readonly messages: ReadonlyMap<string, MessageFacts>
}

/** Nothing known. */
export const noFacts: Facts = { subscribers: new Map(), messages: new Map() }

const put = <K, V>(map: ReadonlyMap<K, V>, entries: ReadonlyArray<readonly [K, V]>): ReadonlyMap<K, V> =>
  entries.length === 0 ? map : new Map([...map, ...entries])

const profileFields = [
  "_id",
  "firstName",
  "lastName",
  "email",
  "phone",
  "locale",
  "timezone",
  "isOnline",
  "lastOnlineAt",
  "updatedAt"
] as const

/** The fields that the record has; null counts as absent, since a later response may know better. */
const profileOf = (record: Readonly<Record<string, unknown>>): Profile =>
  Object.fromEntries(
    profileFields.flatMap((field) => {
      const value = record[field]
      return value === undefined || value === null ? [] : [[field, value]]
    })
  )

const learnSubscriber = (
  facts: Facts,
  subscriberId: string,
  record: Readonly<Record<string, unknown>>,
  from: Provenance
): SubscriberFacts => {
  const before = facts.subscribers.get(subscriberId)
  const channels = "channels" in record && Array.isArray(record["channels"]) ? record["channels"] : undefined
  return {
    ...before,
    subscriberId,
    profile: { ...before?.profile, ...profileOf(record) },
    profileFrom: from,
    ...(channels === undefined ? {} : { channels, channelsFrom: from })
  }
}

/** Learns the subscribers embedded in a page of events. */
export const fromEvents = (facts: Facts, events: ReadonlyArray<ActivityNotification>, at: number): Facts => {
  const entries: Array<readonly [string, SubscriberFacts]> = []
  for (const { subscriber } of events) {
    // An upsert response says more than an event does: an event never replaces it.
    if (subscriber === undefined || facts.subscribers.get(subscriber.subscriberId)?.channelsFrom !== undefined) continue
    entries.push([
      subscriber.subscriberId,
      learnSubscriber(facts, subscriber.subscriberId, { ...subscriber }, { source: "an event", at })
    ])
  }
  return { ...facts, subscribers: put(facts.subscribers, entries) }
}

/** Learns the subscriber in the response to a change of credentials. */
export const fromUpsert = (facts: Facts, subscriber: Subscriber, at: number, changed?: string): Facts => {
  const { subscriberId } = subscriber
  const known = learnSubscriber(
    facts,
    subscriberId,
    { ...subscriber },
    { source: "the last change of credentials", at }
  )
  const changedAt = changed === undefined ? known.changedAt : new Map(known.changedAt).set(changed, at)
  return {
    ...facts,
    subscribers: put(facts.subscribers, [[subscriberId, changedAt === undefined ? known : { ...known, changedAt }]])
  }
}

/** Notes changes that a run made, of the subscribers that are known: it may have changed millions of others. */
export const noteChanges = (facts: Facts, changes: FileRunChanges, at: number): Facts => {
  const known = changes.filter(([subscriberId]) => facts.subscribers.has(subscriberId))
  if (known.length === 0) return facts
  const subscribers = new Map(facts.subscribers)
  for (const [subscriberId, changed] of known) {
    const before = subscribers.get(subscriberId)
    if (before !== undefined)
      subscribers.set(subscriberId, { ...before, changedAt: new Map(before.changedAt).set(changed, at) })
  }
  return { ...facts, subscribers }
}

/** Learns the messages in the response to a mark, and the subscribers inside them. */
export const fromMarks = (facts: Facts, subscriberId: string, messages: ReadonlyArray<Message>, at: number): Facts => {
  const from = { source: "the last mark", at }
  const subscriber = messages.find((message) => message.subscriber !== undefined)?.subscriber
  return {
    subscribers:
      subscriber === undefined
        ? facts.subscribers
        : put(facts.subscribers, [[subscriberId, learnSubscriber(facts, subscriberId, { ...subscriber }, from)]]),
    messages: put<string, MessageFacts>(
      facts.messages,
      messages.flatMap((message) => {
        const { _id: id } = message
        if (id === undefined) return []
        const outcome = facts.messages.get(id)?.outcome
        return [[id, { id, subscriberId, message, from, ...(outcome === undefined ? {} : { outcome }) }] as const]
      })
    )
  }
}

/** Adds ids to the work list of a subscriber; known ids keep their facts. */
export const addMessageIds = (
  facts: Facts,
  subscriberId: string,
  ids: ReadonlyArray<string>,
  from: Provenance
): Facts => ({
  ...facts,
  messages: put(
    facts.messages,
    ids.flatMap((id) => (facts.messages.has(id) ? [] : [[id, { id, subscriberId, from }] as const]))
  )
})

/** Removes ids from the work list, without calling the service. */
export const dropMessageIds = (facts: Facts, ids: ReadonlyArray<string>): Facts => {
  const messages = new Map(facts.messages)
  for (const id of ids) messages.delete(id)
  return { ...facts, messages }
}

const changeMessages = (
  facts: Facts,
  ids: ReadonlyArray<string>,
  change: (message: MessageFacts) => MessageFacts
): Facts => ({
  ...facts,
  messages: put(
    facts.messages,
    ids.flatMap((id) => {
      const message = facts.messages.get(id)
      return message === undefined ? [] : [[id, change(message)] as const]
    })
  )
})

/** Sets or, with `undefined`, takes back what is expected of messages before the service responds. */
export const expectMessages = (facts: Facts, ids: ReadonlyArray<string>, expected: Flags | undefined): Facts =>
  changeMessages(facts, ids, (message) => {
    const { expected: _, ...rest } = message
    return expected === undefined ? rest : { ...rest, expected }
  })

/** Records the outcome of messages in a mark; `undefined` clears it. */
export const noteOutcome = (facts: Facts, ids: ReadonlyArray<string>, outcome: MarkOutcome | undefined): Facts =>
  changeMessages(facts, ids, (message) => {
    const { outcome: _, ...rest } = message
    return outcome === undefined ? rest : { ...rest, outcome }
  })

/** Copies flags that the service accepted without showing the messages. */
export const acceptFlags = (facts: Facts, ids: ReadonlyArray<string>, flags: Flags, at: number): Facts =>
  changeMessages(facts, ids, (before) =>
    before.message === undefined
      ? before
      : {
          ...before,
          message: { ...before.message, ...flags },
          from: { source: "a mark whose response lacks the message", at }
        }
  )

/** The messages of a subscriber in the order they became known. */
export const messagesOf = (facts: Facts, subscriberId: string): ReadonlyArray<MessageFacts> =>
  Array.from(facts.messages.values()).filter((message) => message.subscriberId === subscriberId)

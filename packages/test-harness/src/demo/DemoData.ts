/**
 * The demo: the people, integrations and workflows of a web shop, and what it sent on its last day.
 */
import * as HashMap from "effect/HashMap"
import { addIntegration, addWorkflow } from "../generate/Builders.ts"
import { addSubscriber, type SubscriberFields } from "../state/Subscribers.ts"
import { generate } from "../generate/Generate.ts"
import { empty, type EnvironmentState, putMessage, putSubscriber, subscriberOf } from "../state/EnvironmentState.ts"
import * as Random from "../random/Random.ts"
import type { JsonObject } from "@signalbox/core/internal/reading/JsonObject"
import type { ChannelRecord, Credentials, JobProviderId } from "../state/Records.ts"
import { demoWorkflows } from "./DemoWorkflows.ts"

const minute = 60_000
const day = 86_400_000

/** The options of the demo data; events beyond the scripted ones are generated. */
export interface DemoOptions {
  readonly seed: number
  readonly idSeed: number
  /** The end of the demo's day, in milliseconds since 1970. */
  readonly now: number
  /** Number of events, a whole number. */
  readonly events: number
}

const integrations: ReadonlyArray<{
  readonly providerId: JobProviderId
  readonly identifier: string
  readonly active?: boolean
}> = [
  { providerId: "sendgrid", identifier: "sendgrid-transactional" },
  { providerId: "ses", identifier: "ses-bulk", active: false },
  { providerId: "twilio", identifier: "twilio-eu" },
  { providerId: "slack", identifier: "slack-support" },
  { providerId: "slack", identifier: "slack-operations" },
  { providerId: "msteams", identifier: "msteams-office", active: false },
  { providerId: "discord", identifier: "discord-community" },
  { providerId: "mattermost", identifier: "mattermost-team" },
  { providerId: "grafana-on-call", identifier: "grafana-on-call-main" },
  { providerId: "fcm", identifier: "fcm-ios" },
  { providerId: "fcm", identifier: "fcm-android" },
  { providerId: "apns", identifier: "apns-app" },
  { providerId: "expo", identifier: "expo-beta" }
]

interface Person extends SubscriberFields {
  /** Credentials by identifier of the integration. */
  readonly reached: Readonly<Record<string, Credentials>>
}

const tokens = (name: string, count = 1): Credentials => ({
  deviceTokens: Array.from({ length: count }, (_, at) => `demo-token-${name}-${at + 1}`)
})

const hook = (name: string): Credentials => ({ webhookUrl: `https://hooks.example.test/services/demo/${name}` })

const named = (subscriberId: string, firstName: string, lastName: string, mailbox = `${firstName}.${lastName}`) => {
  const email = `${mailbox.toLowerCase()}@example.test`
  return { subscriberId, firstName, lastName, email }
}

const people: ReadonlyArray<Person> = [
  {
    ...named("u_10377", "Ana", "Ruiz"),
    phone: "+34600100377",
    isOnline: true,
    data: { tier: "member", since: "2024-03-02" },
    topics: ["announcements"],
    reached: { "fcm-android": tokens("ana", 2) }
  },
  {
    ...named("u_12308", "Tom", "Okafor"),
    phone: "+447700900308",
    reached: { "apns-app": tokens("tom"), "discord-community": hook("tom") }
  },
  {
    ...named("u_14239", "Mia", "Chen"),
    topics: ["announcements", "beta"],
    reached: { "expo-beta": tokens("mia"), "slack-support": hook("mia") }
  },
  {
    ...named("u_16170", "Sara", "Lind"),
    reached: { "slack-support": { channel: "#support" }, "fcm-ios": { deviceTokens: [] } }
  },
  {
    ...named("u_18101", "Noor", "Haddad"),
    phone: "+96170018101",
    reached: {
      "slack-operations": hook("noor"),
      "fcm-android": tokens("noor"),
      "grafana-on-call-main": { ...hook("noor-on-call"), alertUid: "alert-7", title: "Shop" }
    }
  },
  {
    ...named("u_20032", "Jon", "Berg"),
    reached: { "mattermost-team": { channel: "operations" }, "slack-operations": { channel: "#operations" } }
  },
  {
    ...named("u_21963", "Inês", "Costa", "ines.costa"),
    locale: "pt",
    timezone: "Europe/Lisbon",
    reached: { "fcm-ios": tokens("ines") }
  },
  {
    subscriberId: "u_23894",
    firstName: "Raj",
    lastName: "Mehta",
    phone: "+919820023894",
    reached: { "msteams-office": hook("raj") }
  },
  {
    ...named("u_25825", "Yuki", "Tanaka (田中 由紀)", "yuki.tanaka"),
    phone: "+819012325825",
    locale: "ja",
    timezone: "Asia/Tokyo",
    reached: { "apns-app": tokens("yuki") }
  },
  {
    ...named("acme:ops/7", "Zoë", "Brandt", "zoe.brandt"),
    phone: null,
    reached: { "slack-operations": hook("zoe"), "fcm-ios": tokens("zoe") }
  }
]

const ids = people.map(({ subscriberId }) => subscriberId)

const customers = ["u_10377", "u_12308", "u_14239", "u_21963", "u_25825"] as const

const customerWorkflows = ["order-confirmed", "order-shipped", "price-drop", "order-confirmed", "welcome"] as const

/** Scripted incidents, at every fifth place; the rest are normal notifications. */
const scenes = [
  { workflow: "ticket-assigned", to: "u_16170" },
  { workflow: "payment-failed", to: "u_12308", failures: { Reminder: "provider-unauthorized" } },
  { workflow: "incident-opened", to: "u_20032" },
  { workflow: "order-shipped", to: "u_21963" },
  { workflow: "order-confirmed", to: "u_10377", failures: { Phone: "token-unregistered" } },
  { workflow: "weekly-summary", to: "u_14239" },
  { workflow: "ticket-assigned", to: "u_23894" },
  { workflow: "order-confirmed", to: "u_12308", failures: { Receipt: "content-not-generated" } },
  { workflow: "login-alert", to: "u_25825", failures: { Warning: "preference-off" } },
  { workflow: "incident-opened", to: "u_18101", failures: { "Text message": "provider-limit" } },
  { workflow: "welcome", to: "u_23894" },
  { workflow: "ticket-assigned", to: "u_14239", failures: { "Team chat": "webhook-gone" } },
  { workflow: "incident-opened", to: "acme:ops/7" },
  { workflow: "payment-failed", to: "u_25825", failures: { Reminder: "provider-outage" } },
  { workflow: "order-confirmed", to: "u_16170" },
  { workflow: "order-shipped", to: "u_25825", failures: { "Text message": "no-active-integration" } },
  { workflow: "weekly-summary", to: "u_10377", failures: { "Make the charts": "endpoint-failed" } }
] as const

type Choices = readonly [string, ...ReadonlyArray<string>]

const payloadOf = (workflow: string, number: number, random: Random.Stream): JsonObject => {
  const orderId = `A-${4200 + Math.floor(number / 3)}`
  const amount = Random.whole(random, 900, 48_000) / 100
  const currency = "EUR"
  const oneOf = (...values: Choices): string => Random.pick(random, values)
  const item = (quantity: number, ...names: Choices): JsonObject => ({
    sku: `SKU-${Random.whole(random, 1000, 9999)}`,
    name: oneOf(...names),
    quantity
  })
  const customer = (): JsonObject => ({ tier: oneOf("member", "guest") })
  switch (workflow) {
    case "order-confirmed": {
      const total = { orderId, total: amount, currency, customer: customer() }
      return { ...total, items: [item(1, "Kettle", "Lamp", "Notebook"), item(2, "Mug", "Pen", "Chair")] }
    }
    case "order-shipped": {
      const carrier = oneOf("DHL", "UPS", "Posti")
      return { orderId, carrier, trackingId: `TRK${Random.whole(random, 100_000, 999_999)}` }
    }
    case "payment-failed":
      return {
        invoiceId: `INV-${2000 + number}`,
        amount,
        currency,
        reason: oneOf("Card expired", "Insufficient funds")
      }
    case "ticket-assigned": {
      const title = oneOf("Parcel is late", "Wrong colour", "Refund asked for")
      return { ticketId: `T-${700 + number}`, title, priority: "normal" }
    }
    case "incident-opened": {
      const service = oneOf("checkout", "search")
      return { incidentId: `INC-${40 + number}`, service, summary: "Error rate above 5 %" }
    }
    case "weekly-summary":
      return { week: 47, orders: Random.whole(random, 20, 400), revenue: amount * 10 }
    case "login-alert":
      return { device: oneOf("Firefox on Linux", "Safari on iPhone"), city: oneOf("Lisbon", "Oslo") }
    case "price-drop":
      return { product: oneOf("Kettle", "Lamp"), price: amount, customer: customer() }
    default:
      return { plan: oneOf("free", "team") }
  }
}

const withCredentials = (state: EnvironmentState, person: Person): EnvironmentState => {
  const subscriber = subscriberOf(state, person.subscriberId)
  if (subscriber === undefined) return state
  const channels = Object.entries(person.reached).flatMap(([identifier, credentials]): ReadonlyArray<ChannelRecord> => {
    const integration = state.integrations.find((known) => known.identifier === identifier)
    if (integration === undefined) return []
    const { id, providerId } = integration
    return [{ providerId, integrationId: id, integrationIdentifier: identifier, credentials }]
  })
  return putSubscriber(state, { ...subscriber, channels })
}

const house = (seed: number, idSeed: number, now: number): EnvironmentState => {
  let state = empty(seed, idSeed)
  integrations.forEach((integration, at) => {
    ;({ state } = addIntegration(state, now - 200 * day + at * day, integration))
  })
  for (const workflow of demoWorkflows) ({ state } = addWorkflow(state, now - 150 * day, workflow))
  people.forEach((person, at) => {
    const { reached: _, ...subscriber } = person
    ;({ state } = addSubscriber(state, now - (90 - at) * day, subscriber))
    state = withCredentials(state, person)
  })
  return state
}

/** Marks some messages as seen and read. */
export const withReaders = (before: EnvironmentState, { now, seed }: DemoOptions): EnvironmentState => {
  let state = before
  for (const message of HashMap.values(before.messages)) {
    if (message.channel !== "in_app") continue
    const luck = Random.hash(seed, message.id) % 4
    const at = Math.min(now, message.createdAt + (luck + 1) * 7 * minute)
    if (luck === 0) continue
    state = putMessage(state, {
      ...message,
      seen: true,
      lastSeenDate: at,
      ...(luck === 1 ? {} : { read: true, lastReadDate: at })
    })
  }
  return state
}

const scripted = ({ events }: DemoOptions): number => Math.min(events, 80)

/** The shop before its last day, with the generated events. */
export const demoBefore = (options: DemoOptions): EnvironmentState => {
  const { events, idSeed, now, seed } = options
  const state = house(seed, idSeed, now)
  const generated = events - scripted(options)
  return generated === 0 ? state : generate(state, now - day, { subscribers: 40, events: generated, spanMs: 29 * day })
}

/** The triggers of the shop's last day, in order. */
export const demoTriggers = (options: DemoOptions) => {
  const { idSeed, now, seed } = options
  const named = scripted(options)
  const random = Random.stream(Random.hash(seed, "demo"))
  return Array.from({ length: named }, (_, number) => {
    const scene =
      (named - 1 - number) % 4 === 1
        ? (scenes[Math.floor((named - 1 - number) / 4) % scenes.length] ?? scenes[0])
        : {
            workflow: Random.pick(random, customerWorkflows),
            to:
              Random.whole(random, 1, 6) === 1
                ? (ids[number % ids.length] ?? "u_10377")
                : Random.pick(random, customers)
          }
    // Closer together towards the end of the day, as on a real dashboard, and the last a few seconds ago.
    const age = 4000 + Math.floor(((named - 1 - number) / 80) ** 1.6 * 23.5 * 60 * minute)
    const topics = Random.whole(random, 1, 5) === 1 ? ["announcements"] : []
    const contextKeys = Random.whole(random, 1, 3) === 1 ? [] : [`tenant:${Random.pick(random, ["acme", "globex"])}`]
    return {
      at: now - age,
      input: {
        workflow: scene.workflow,
        to: scene.to,
        payload: payloadOf(scene.workflow, number, random),
        topics,
        contextKeys,
        transactionId: `txn_${Random.hash(idSeed, "transaction", number).toString(16).padStart(8, "0")}${number.toString().padStart(4, "0")}`,
        ...("failures" in scene ? { failures: scene.failures } : {})
      }
    }
  })
}

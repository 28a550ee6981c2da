/**
 * The demo of the apps: the fake's shop, which continues while the user looks. Events are triggered
 * when a request arrives, for the time since the previous request: no timer runs, and every session has the same events.
 */
import { createFake, type Fake, type FakeClock, type TriggerInput } from "@signalbox/test-harness"

/** The demo. Call `flow` before each request: it triggers the events that are due. */
export interface Demo {
  readonly fake: Fake
  readonly flow: () => void
}

/** The time between two events. */
const gapMs = 2_500

/** The incident starts this long after the demo. */
const calmMs = 30_000

/** Subscribers with a Discord channel but without its webhook URL: chat steps for them fail. */
const agents = ["Ada", "Ben", "Cleo"].map((firstName, at) => ({
  subscriberId: `u_3001${at + 1}`,
  firstName,
  email: `${firstName.toLowerCase()}@example.test`
}))

const customers = ["u_10377", "u_12308", "u_14239", "u_21963", "u_25825"] as const

/** The event of a number, counted from the start. From the start of the incident on, every third one is for an agent. */
const eventAt = (number: number): TriggerInput => {
  const isIncident = number * gapMs >= calmMs
  const to = customers[(number * 3) % customers.length] ?? customers[0]
  const agent = agents[Math.floor(number / 3) % agents.length]
  if (isIncident && number % 3 === 0 && agent !== undefined) {
    return {
      workflow: "ticket-assigned",
      to: agent.subscriberId,
      payload: { ticketId: `T-${900 + number}`, title: "Parcel is late", priority: "high" }
    }
  }
  const payload = { orderId: `A-${4300 + number}`, total: 10 + ((number * 37) % 190), currency: "EUR" }
  // The template of the receipt was deleted: the provider reports it in words that no rule recognises.
  const failures = isIncident && number % 3 === 1 ? { failures: { Receipt: "token-unregistered" as const } } : {}
  return { workflow: "order-confirmed", to, payload, ...failures }
}

/** Opens a demo that starts now. */
export const openDemo = (options: { readonly events?: number } = {}, now: () => number = Date.now): Demo => {
  let triggeredAt: number | undefined
  const clock: FakeClock = {
    now: () => triggeredAt ?? now(),
    schedule: (millis, callback) => {
      const timer = setTimeout(callback, millis)
      return () => clearTimeout(timer)
    }
  }
  const fake = createFake({ data: "demo", seed: 1, ...options, clock })
  const start = now()
  let number = 0
  const addAgents = () => {
    const discord = fake.state().integrations.find(({ providerId }) => providerId === "discord")
    if (discord === undefined) return
    const { id: integrationId, identifier: integrationIdentifier, providerId } = discord
    const credentials = { channel: "night-shift" }
    for (const each of agents) {
      fake.addSubscriber({ ...each, channels: [{ providerId, integrationId, integrationIdentifier, credentials }] })
    }
  }
  return {
    fake,
    flow: () => {
      for (let at; (at = start + (number + 1) * gapMs) <= now(); number += 1) {
        triggeredAt = at
        if (number === 0) addAgents()
        fake.trigger(eventAt(number + 1))
      }
      triggeredAt = undefined
    }
  }
}

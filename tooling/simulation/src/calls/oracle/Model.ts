/**
 * A second, much simpler implementation of the service: the state after the applied requests, in their order.
 */
import type { JournalEntry, Switches } from "@signalbox/test-harness"
import type { Observation } from "../Observation.ts"
import { markedMessages, memberOf, tokensOf, webhookOf } from "../Program.ts"
import type { PlannedCall } from "../Scenario.ts"

/** Flags of a message. */
export interface Flags {
  readonly read: boolean
  readonly seen: boolean
}

/** The state of a service. */
export interface ModelState {
  /** By subscriber and provider. */
  readonly tokens: ReadonlyMap<string, ReadonlyArray<string>>
  /** By subscriber and provider. */
  readonly webhooks: ReadonlyMap<string, string>
  /** By message; unmarked messages are absent. */
  readonly flags: ReadonlyMap<string, Flags>
  /** By topic. */
  readonly members: ReadonlyMap<string, ReadonlyArray<string>>
}

/** Name of the credentials of a subscriber for a provider. */
export const entryOf = (subscriberId: string, providerId: string): string => `${subscriberId} ${providerId}`

const joined = (switches: Switches, stored: ReadonlyArray<string>, plan: PlannedCall): ReadonlyArray<string> => {
  const tokens = tokensOf(plan)
  if (tokens === undefined) return switches["credentials.tokensAbsent"] === "kept" ? stored : []
  if (tokens.length === 0) return switches["credentials.tokensEmpty"] === "kept" ? stored : []
  const all = switches["credentials.tokens"] === "replace" ? tokens : [...stored, ...tokens]
  return switches["credentials.tokenDuplicates"] === "dropped" ? [...new Set(all)] : all
}

const upserted = (switches: Switches, before: ModelState, plan: PlannedCall): ModelState => {
  const entry = entryOf(plan.subscriberId, plan.providerId)
  const tokens = new Map(before.tokens).set(entry, joined(switches, before.tokens.get(entry) ?? [], plan))
  const webhooks = new Map(before.webhooks)
  const webhook = webhookOf(plan)
  if (webhook !== undefined) webhooks.set(entry, webhook)
  else if (switches["credentials.otherFields"] === "replace") webhooks.delete(entry)
  return { ...before, tokens, webhooks }
}

const changed = (effect: "kept" | "set" | "cleared", flag: boolean): boolean =>
  effect === "kept" ? flag : effect === "set"

const marked = (switches: Switches, before: ModelState, plan: PlannedCall): ModelState => {
  if (plan.subscriberId === "nobody") return before
  const flags = new Map(before.flags)
  for (const id of markedMessages(plan)) {
    const { read, seen } = flags.get(id) ?? { read: false, seen: false }
    const after = {
      read: { read: true, seen: changed(switches["mark.read.seen"], seen) },
      unread: { read: false, seen: changed(switches["mark.unread.seen"], seen) },
      seen: { read, seen: true },
      unseen: { read: changed(switches["mark.unseen.read"], read), seen: false }
    }
    flags.set(id, after[plan.mark])
  }
  return { ...before, flags }
}

const applied = (switches: Switches, before: ModelState, plan: PlannedCall): ModelState => {
  switch (plan.operation) {
    case "credentials.upsert":
      return upserted(switches, before, plan)
    case "messages.markAs":
      return marked(switches, before, plan)
    case "events.list":
      return before
    case "topics.addMember": {
      const { subscriberId: topic } = plan
      return {
        ...before,
        members: new Map(before.members).set(topic, [...(before.members.get(topic) ?? []), memberOf(plan)])
      }
    }
  }
}

/** The state at the end, and the state after each applied request. */
export const model = ({
  calls,
  committed,
  switches
}: Observation): { readonly end: ModelState; readonly after: ReadonlyMap<JournalEntry, ModelState> } => {
  const plans = new Map<JournalEntry, PlannedCall>(
    calls.flatMap(({ duplicates, plan, requests }) =>
      [...requests, ...duplicates].map((request) => [request, plan] as const)
    )
  )
  const after = new Map<JournalEntry, ModelState>()
  let end: ModelState = { tokens: new Map(), webhooks: new Map(), flags: new Map(), members: new Map() }
  for (const request of committed) {
    const plan = plans.get(request)
    if (plan !== undefined) end = applied(switches, end, plan)
    after.set(request, end)
  }
  return { end, after }
}

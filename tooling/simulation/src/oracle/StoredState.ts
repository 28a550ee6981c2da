/**
 * The state of the service, against what the journal says was applied: a second and independent count.
 */
import * as HashMap from "effect/HashMap"
import * as Option from "effect/Option"
import type { EnvironmentState, JournalEntry, Switches } from "@signalbox/test-harness"
import type { Observation } from "../Observation.ts"
import { markedMessages, tokensOf, webhookOf } from "../Program.ts"
import type { PlannedCall } from "../Scenario.ts"
import { messageIdsOf } from "../World.ts"
import { complainOfAll, type Complaint } from "./Complaint.ts"

/** What the state should hold, by subscriber and provider, and by message. */
interface Expected {
  readonly tokens: Map<string, ReadonlyArray<string>>
  readonly webhooks: Map<string, string>
  readonly flags: Map<string, { readonly read: boolean; readonly seen: boolean }>
}

const given = (switches: Switches, stored: ReadonlyArray<string>, plan: PlannedCall): ReadonlyArray<string> => {
  const tokens = tokensOf(plan)
  if (tokens === undefined) return switches["credentials.tokensAbsent"] === "kept" ? stored : []
  if (tokens.length === 0) return switches["credentials.tokensEmpty"] === "kept" ? stored : []
  const all = switches["credentials.tokens"] === "replace" ? tokens : [...stored, ...tokens]
  return switches["credentials.tokenDuplicates"] === "dropped" ? [...new Set(all)] : all
}

const upsert = (switches: Switches, expected: Expected, plan: PlannedCall): void => {
  const entry = `${plan.subscriberId} ${plan.providerId}`
  expected.tokens.set(entry, given(switches, expected.tokens.get(entry) ?? [], plan))
  const webhook = webhookOf(plan)
  if (webhook !== undefined) expected.webhooks.set(entry, webhook)
  else if (switches["credentials.otherFields"] === "replace") expected.webhooks.delete(entry)
}

const mark = (switches: Switches, expected: Expected, plan: PlannedCall): void => {
  if (plan.subscriberId === "nobody") return
  for (const id of markedMessages(plan)) {
    const { read, seen } = expected.flags.get(id) ?? { read: false, seen: false }
    const effect = {
      read: { read: true, seen: switches["mark.read.seen"] === "set" || seen },
      unread: {
        read: false,
        seen: switches["mark.unread.seen"] === "kept" ? seen : switches["mark.unread.seen"] === "set"
      },
      seen: { read, seen: true },
      unseen: { read: switches["mark.unseen.read"] === "kept" && read, seen: false }
    }
    expected.flags.set(id, effect[plan.mark])
  }
}

const expectedOf = ({ calls, committed, switches }: Observation): Expected => {
  const plans = new Map<JournalEntry, PlannedCall>(
    calls.flatMap(({ plan, requests }) => requests.map((request) => [request, plan] as const))
  )
  const expected: Expected = { tokens: new Map(), webhooks: new Map(), flags: new Map() }
  for (const request of committed) {
    const plan = plans.get(request)
    if (plan?.operation === "credentials.upsert") upsert(switches, expected, plan)
    if (plan?.operation === "messages.markAs") mark(switches, expected, plan)
  }
  return expected
}

const sorted = (tokens: ReadonlyArray<string>): string => tokens.toSorted().join(", ")

const wrongCredentials = (state: EnvironmentState, expected: Expected): ReadonlyArray<string> => {
  const wrong: Array<string> = []
  const found = new Set<string>()
  for (const { channels, subscriberId } of HashMap.values(state.subscribers)) {
    for (const { credentials, providerId } of channels) {
      const entry = `${subscriberId} ${providerId}`
      found.add(entry)
      const stored = sorted(credentials.deviceTokens ?? [])
      const wanted = sorted(expected.tokens.get(entry) ?? [])
      if (stored !== wanted) wrong.push(`${entry} holds tokens [${stored}], applied were [${wanted}]`)
      const webhook = expected.webhooks.get(entry)
      if (credentials.webhookUrl !== webhook) wrong.push(`${entry} holds another webhook than was applied`)
    }
  }
  for (const entry of expected.tokens.keys()) {
    if (!found.has(entry)) wrong.push(`${entry} was applied and is not stored`)
  }
  return wrong
}

const wrongFlags = (state: EnvironmentState, expected: Expected): ReadonlyArray<string> =>
  ["ann", "ben"].flatMap(messageIdsOf).flatMap((id) => {
    const { read, seen } = Option.getOrThrow(HashMap.get(state.messages, id))
    const wanted = expected.flags.get(id) ?? { read: false, seen: false }
    return read === wanted.read && seen === wanted.seen
      ? []
      : [`message ${id} is read ${read} and seen ${seen}, applied was read ${wanted.read} and seen ${wanted.seen}`]
  })

/** Complaints about a state that is not what the journal says. */
export const judgeStoredState = (observation: Observation): ReadonlyArray<Complaint> => {
  const expected = expectedOf(observation)
  return [...wrongCredentials(observation.state, expected), ...wrongFlags(observation.state, expected)].map(
    complainOfAll
  )
}

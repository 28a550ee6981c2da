/**
 * Checks the values that callers received against the state of the service at the time of the response.
 */
import type { Message } from "@signalbox/core/Message"
import type { Subscriber } from "@signalbox/core/Subscriber"
import type { JournalEntry } from "@signalbox/test-harness"
import type { Observation, ObservedCall } from "../Observation.ts"
import { markedMessages } from "../Program.ts"
import { callFinding, type Finding } from "../../Finding.ts"
import { entryOf, type ModelState, model } from "./Model.ts"

const wrongSubscriber = ({ plan }: ObservedCall, { channels, subscriberId }: Subscriber, state: ModelState) => {
  if (subscriberId !== plan.subscriberId) return "returned a different subscriber"
  const channel = channels?.find(({ providerId }) => providerId === plan.providerId)
  if (channel === undefined) return "returned a subscriber without the credentials"
  const { deviceTokens = [], webhookUrl } = channel.credentials
  const entry = entryOf(plan.subscriberId, plan.providerId)
  const tokens = state.tokens.get(entry) ?? []
  return deviceTokens.toSorted().join() === tokens.toSorted().join() && webhookUrl === state.webhooks.get(entry)
    ? undefined
    : "returned credentials that differ from the service's"
}

const wrongMessages = ({ plan }: ObservedCall, messages: ReadonlyArray<Message>, state: ModelState) => {
  const marked = markedMessages(plan)
  if (!messages.every(({ _id }) => marked.includes(_id ?? ""))) return "returned messages that it did not mark"
  const isAsStored = ({ _id, read, seen }: Message) => {
    const flags = state.flags.get(_id ?? "")
    return flags?.read === read && flags.seen === seen
  }
  return messages.every(isAsStored) ? undefined : "returned messages with flags that differ from the service's"
}

const wrongValue = (call: ObservedCall, value: unknown, state: ModelState): string | undefined => {
  if (value === undefined) return "succeeded without a value"
  switch (call.plan.operation) {
    // The operation of a call decides the type of its value.
    case "credentials.upsert":
      return wrongSubscriber(call, value as Subscriber, state)
    case "messages.markAs":
      return wrongMessages(call, value as ReadonlyArray<Message>, state)
    case "events.list":
      return undefined
    case "topics.addMember": {
      const { members } = value as { readonly members: ReadonlyArray<string> }
      const known = state.members.get(call.plan.subscriberId) ?? []
      return members.join() === known.join() ? undefined : "returned members that differ from the service's"
    }
  }
}

const checkCall = (call: ObservedCall, after: ReadonlyMap<JournalEntry, ModelState>): ReadonlyArray<Finding> => {
  const last = call.requests.at(-1)
  const state = last === undefined ? undefined : after.get(last)
  // A fault may have changed the response, and a replayed response is from another time.
  if (call.outcome._tag !== "Value" || state === undefined || last?.faults.length !== 0) return []
  const wrong = wrongValue(call, call.outcome.value, state)
  return wrong === undefined ? [] : [callFinding(call, wrong)]
}

/** Findings about values. */
export const checkValues = (observation: Observation): ReadonlyArray<Finding> => {
  const { after } = model(observation)
  return observation.calls.flatMap((call) => checkCall(call, after))
}

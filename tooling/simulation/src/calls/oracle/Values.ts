/**
 * The values that callers were given, against what the service held when it answered.
 */
import type { Message } from "@signalbox/core/Message"
import type { Subscriber } from "@signalbox/core/Subscriber"
import type { JournalEntry } from "@signalbox/test-harness"
import type { Observation, ObservedCall } from "../Observation.ts"
import { markedMessages } from "../Program.ts"
import { complain, type Complaint } from "../../Complaint.ts"
import { entryOf, type Holdings, model } from "./Model.ts"

const wrongSubscriber = ({ plan }: ObservedCall, { channels, subscriberId }: Subscriber, held: Holdings) => {
  if (subscriberId !== plan.subscriberId) return "was given another subscriber"
  const channel = channels?.find(({ providerId }) => providerId === plan.providerId)
  if (channel === undefined) return "was given a subscriber without the credentials"
  const { deviceTokens = [], webhookUrl } = channel.credentials
  const entry = entryOf(plan.subscriberId, plan.providerId)
  const tokens = held.tokens.get(entry) ?? []
  return deviceTokens.toSorted().join() === tokens.toSorted().join() && webhookUrl === held.webhooks.get(entry)
    ? undefined
    : "was given other credentials than the service held"
}

const wrongMessages = ({ plan }: ObservedCall, messages: ReadonlyArray<Message>, held: Holdings) => {
  const asked = markedMessages(plan)
  if (!messages.every(({ _id }) => asked.includes(_id ?? ""))) return "was given messages that it did not mark"
  const isAsHeld = ({ _id, read, seen }: Message) => {
    const flags = held.flags.get(_id ?? "")
    return flags?.read === read && flags.seen === seen
  }
  return messages.every(isAsHeld) ? undefined : "was given messages with other flags than the service held"
}

const wrongValue = (call: ObservedCall, value: unknown, held: Holdings): string | undefined => {
  if (value === undefined) return "was given no value"
  switch (call.plan.operation) {
    // The operation of a call decides the type of its value.
    case "credentials.upsert":
      return wrongSubscriber(call, value as Subscriber, held)
    case "messages.markAs":
      return wrongMessages(call, value as ReadonlyArray<Message>, held)
    case "events.list":
      return undefined
  }
}

const judgeCall = (call: ObservedCall, after: ReadonlyMap<JournalEntry, Holdings>): ReadonlyArray<Complaint> => {
  const last = call.requests.at(-1)
  const held = last === undefined ? undefined : after.get(last)
  // A fault may have changed the answer, and a kept answer is of another time.
  if (call.told._tag !== "Value" || held === undefined || last?.faults.length !== 0) return []
  const wrong = wrongValue(call, call.told.value, held)
  return wrong === undefined ? [] : [complain(call, wrong)]
}

/** Complaints about values. */
export const judgeValues = (observation: Observation): ReadonlyArray<Complaint> => {
  const { after } = model(observation)
  return observation.calls.flatMap((call) => judgeCall(call, after))
}

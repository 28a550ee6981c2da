/**
 * Checks that values have exactly what the service sent, and that requests have exactly what the caller wants.
 */
import { isDeepStrictEqual } from "node:util"
import type { JournalEntry } from "@signalbox/test-harness"
import { callFinding, type Finding } from "../../Finding.ts"
import { isSameContent } from "../../WireContent.ts"
import type { Observation, ObservedCall } from "../Observation.ts"
import { markedMessages, tokensOf, webhookOf } from "../Program.ts"

const wrongValue = ({ scenario }: Observation, call: ObservedCall): ReadonlyArray<string> => {
  const { outcome, plan, recording } = call
  const last = recording.watch.responses.at(-1)
  if (outcome._tag !== "Value" || outcome.info === undefined || last === undefined) return []
  return isSameContent(outcome.value, { ...outcome.info, vendor: scenario.vendor, text: last.text }, plan.operation)
    ? []
    : ["returned a value that differs from the response"]
}

const wrongDrift = (call: ObservedCall): ReadonlyArray<string> => {
  const { outcome, plan, recording } = call
  const reported = recording.drift.flatMap(({ entries }) => entries).length
  if (outcome._tag !== "Value") return reported === 0 ? [] : ["reported drift although it failed"]
  const found = (outcome.info?.drift.length ?? 0) + (outcome.info?.unreadable.length ?? 0)
  return [
    ...(plan.reading === "strict" && found > 0 ? ["succeeded with drift although it reads strictly"] : []),
    ...(outcome.info?.drift.length === reported ? [] : [`reported ${reported} drift entries, its facts have ${found}`])
  ]
}

const wantedBody = ({ plan }: ObservedCall): unknown => {
  switch (plan.operation) {
    case "credentials.upsert":
      return { hasTokens: tokensOf(plan) !== undefined, hasWebhook: webhookOf(plan) !== undefined }
    case "messages.markAs":
      return { messageId: markedMessages(plan), markAs: plan.mark }
    case "events.list":
      return `subscriberIds=${plan.subscriberId}`
  }
}

const sentBody = ({ plan }: ObservedCall, { body, query }: JournalEntry): unknown => {
  switch (plan.operation) {
    case "credentials.upsert": {
      // The journal removes secrets, so only the presence of the fields can be compared; the state has the values.
      const { credentials } = body as { readonly credentials: object }
      return { hasTokens: "deviceTokens" in credentials, hasWebhook: "webhookUrl" in credentials }
    }
    case "messages.markAs":
      return body
    case "events.list":
      return query
  }
}

const checkCall = (observation: Observation, call: ObservedCall): ReadonlyArray<string> => [
  ...wrongValue(observation, call),
  ...wrongDrift(call),
  ...(call.requests.every((request) => isDeepStrictEqual(sentBody(call, request), wantedBody(call)))
    ? []
    : ["sent a request that differs from its input"])
]

/** Findings about the contents of requests and values. */
export const checkContents = (observation: Observation): ReadonlyArray<Finding> =>
  observation.calls.flatMap((call) => checkCall(observation, call).map((message) => callFinding(call, message)))

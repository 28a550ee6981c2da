/**
 * Checks that values have exactly what the service sent, and that requests have exactly what the caller wants.
 */
import { isDeepStrictEqual } from "node:util"
import type { JournalEntry } from "@signalbox/test-harness"
import { callFinding, type Finding } from "../../Finding.ts"
import { isAsReadBySchema } from "../../SchemaReading.ts"
import { isAsSent } from "../../WireContent.ts"
import type { Observation, ObservedCall } from "../Observation.ts"
import { markedMessages, memberOf, tokensOf, webhookOf } from "../Program.ts"

const wrongValue = ({ scenario }: Observation, { outcome, recording }: ObservedCall): ReadonlyArray<string> =>
  outcome._tag !== "Value" ||
  (isAsSent(outcome.value, recording, scenario.vendor) && isAsReadBySchema(outcome.value, recording, scenario.vendor))
    ? []
    : ["returned a value that differs from the response"]

const wrongReading = ({ outcome, plan }: ObservedCall): ReadonlyArray<string> =>
  outcome._tag === "Value" && plan.reading === "strict" && (outcome.info?.drift.length ?? 0) > 0
    ? ["succeeded with drift although it reads strictly"]
    : []

const wantedBody = ({ plan }: ObservedCall): unknown => {
  switch (plan.operation) {
    case "credentials.upsert":
      return { hasTokens: tokensOf(plan) !== undefined, hasWebhook: webhookOf(plan) !== undefined }
    case "messages.markAs":
      return { messageId: markedMessages(plan), markAs: plan.mark }
    case "events.list":
      return `subscriberIds=${plan.subscriberId}`
    case "topics.addMember":
      return { member: memberOf(plan) }
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
    case "topics.addMember":
      return body
    case "events.list":
      return query
  }
}

const checkCall = (observation: Observation, call: ObservedCall): ReadonlyArray<string> => [
  ...wrongValue(observation, call),
  ...wrongReading(call),
  ...(call.requests.every((request) => isDeepStrictEqual(sentBody(call, request), wantedBody(call)))
    ? []
    : ["sent a request that differs from its input"])
]

/** Findings about the contents of requests and values. */
export const checkContents = (observation: Observation): ReadonlyArray<Finding> =>
  observation.calls.flatMap((call) => checkCall(observation, call).map((message) => callFinding(call, message)))

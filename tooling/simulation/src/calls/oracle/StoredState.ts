/**
 * Checks the state of the service against the model.
 */
import type { EnvironmentRecords } from "@signalbox/test-harness"
import type { Observation } from "../Observation.ts"
import { messageIdsOf } from "../World.ts"
import { scenarioFinding, type Finding } from "../../Finding.ts"
import { entryOf, type ModelState, model } from "./Model.ts"

const sorted = (tokens: ReadonlyArray<string>): string => tokens.toSorted().join(", ")

const wrongCredentials = (state: EnvironmentRecords, expected: ModelState): ReadonlyArray<string> => {
  const wrong: Array<string> = []
  const found = new Set<string>()
  for (const { channels, subscriberId } of state.subscribers) {
    for (const { credentials, providerId } of channels) {
      const entry = entryOf(subscriberId, providerId)
      found.add(entry)
      const stored = sorted(credentials.deviceTokens ?? [])
      const wanted = sorted(expected.tokens.get(entry) ?? [])
      if (stored !== wanted) wrong.push(`${entry} has the tokens [${stored}], expected [${wanted}]`)
      const webhook = expected.webhooks.get(entry)
      if (credentials.webhookUrl !== webhook) wrong.push(`${entry} has a different webhook than the one applied`)
    }
  }
  for (const entry of expected.tokens.keys()) {
    if (!found.has(entry)) wrong.push(`${entry} was applied but is not stored`)
  }
  return wrong
}

const wrongFlags = (state: EnvironmentRecords, expected: ModelState): ReadonlyArray<string> => {
  const messages = new Map(state.messages.map((message) => [message.id, message]))
  return ["ann", "ben"].flatMap(messageIdsOf).flatMap((id) => {
    const message = messages.get(id)
    if (message === undefined) return [`message ${id} is not stored`]
    const { read, seen } = message
    const wanted = expected.flags.get(id) ?? { read: false, seen: false }
    return read === wanted.read && seen === wanted.seen
      ? []
      : [`message ${id} has read ${read} and seen ${seen}, expected read ${wanted.read} and seen ${wanted.seen}`]
  })
}

/** Findings about a state that differs from the model. */
export const checkStoredState = (observation: Observation): ReadonlyArray<Finding> => {
  const { end } = model(observation)
  return [...wrongCredentials(observation.state, end), ...wrongFlags(observation.state, end)].map(scenarioFinding)
}

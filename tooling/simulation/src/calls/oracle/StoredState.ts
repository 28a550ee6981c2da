/**
 * The state of the service, against what the journal says was applied: a second and independent count.
 */
import * as HashMap from "effect/HashMap"
import * as Option from "effect/Option"
import type { EnvironmentState } from "@signalbox/test-harness"
import type { Observation } from "../Observation.ts"
import { messageIdsOf } from "../World.ts"
import { complainOfAll, type Complaint } from "../../Complaint.ts"
import { entryOf, type Holdings, model } from "./Model.ts"

const sorted = (tokens: ReadonlyArray<string>): string => tokens.toSorted().join(", ")

const wrongCredentials = (state: EnvironmentState, expected: Holdings): ReadonlyArray<string> => {
  const wrong: Array<string> = []
  const found = new Set<string>()
  for (const { channels, subscriberId } of HashMap.values(state.subscribers)) {
    for (const { credentials, providerId } of channels) {
      const entry = entryOf(subscriberId, providerId)
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

const wrongFlags = (state: EnvironmentState, expected: Holdings): ReadonlyArray<string> =>
  ["ann", "ben"].flatMap(messageIdsOf).flatMap((id) => {
    const { read, seen } = Option.getOrThrow(HashMap.get(state.messages, id))
    const wanted = expected.flags.get(id) ?? { read: false, seen: false }
    return read === wanted.read && seen === wanted.seen
      ? []
      : [`message ${id} is read ${read} and seen ${seen}, applied was read ${wanted.read} and seen ${wanted.seen}`]
  })

/** Complaints about a state that is not what the journal says. */
export const judgeStoredState = (observation: Observation): ReadonlyArray<Complaint> => {
  const { end } = model(observation)
  return [...wrongCredentials(observation.state, end), ...wrongFlags(observation.state, end)].map(complainOfAll)
}

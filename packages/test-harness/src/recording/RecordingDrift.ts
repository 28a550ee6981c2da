/**
 * Differences between a recording and what the fake, and clients, rely on: the switches of a preset, and the records of the
 * API document.
 */
import { isOperationName, type OperationName } from "@signalbox/core/Operations"
import { makeReader } from "@signalbox/core/internal/reading/Reader"
import { wires } from "@signalbox/core/internal/reading/Shapes"
import * as Result from "effect/Result"
import type { EnvironmentOptions } from "../environment/EnvironmentOptions.ts"
import { createFake } from "../environment/Fake.ts"
import { routeOf } from "../request/Route.ts"
import { preset as presetNamed } from "../switches/Switches.ts"
import { isSuccess, type RecordedExchange, type Recording, shownSwitches } from "./Recording.ts"

/** The operation whose records a response has; `undefined` for an error and for other endpoints. */
const operationOf = ({ method, response, status, target }: RecordedExchange): OperationName | undefined => {
  const route = routeOf(presetNamed("document"), method, target.split("?")[0] ?? "")
  const isRead = isSuccess(status) && response !== undefined && route?._tag === "Route"
  return isRead && isOperationName(route.operation) ? route.operation : undefined
}

/** The differences in the records of a response, each place once. */
const driftIn = (operation: OperationName, response: unknown, vendor: string | undefined): ReadonlyArray<string> => {
  const reading = makeReader<unknown>(wires[operation], vendor === undefined ? {} : { vendor })(response)
  if (Result.isFailure(reading)) {
    return reading.failure.issues.map(({ path, rule }) => `${operation}: unreadable, ${path || "body"}: ${rule}`)
  }
  return reading.success.drift.map((entry) => {
    const at = `${operation}: ${entry.kind} at ${entry.path.replace(/\[\d+\]/gu, "[]")}`
    return "value" in entry ? `${at}: ${JSON.stringify(entry.value)}` : "rule" in entry ? `${at}: ${entry.rule}` : at
  })
}

/** Differences in records, each with the first exchange that shows it. */
const recordDrift = (exchanges: ReadonlyArray<RecordedExchange>, vendor: string | undefined) => {
  const lines = new Map<string, number>()
  let responses = 0
  for (const [index, exchange] of exchanges.entries()) {
    const operation = operationOf(exchange)
    if (operation === undefined) continue
    responses += 1
    for (const line of driftIn(operation, exchange.response, vendor)) {
      if (!lines.has(line)) lines.set(line, index + 1)
    }
  }
  return { responses, lines }
}

type Expected = Pick<EnvironmentOptions, "preset" | "switches" | "vendor">

/** The differences from the API document that a preset has on purpose, because a service was observed to have them. */
const knownDrift = async (expected: Expected): Promise<ReadonlySet<string>> => {
  const fake = createFake({ ...expected, data: "empty" })
  fake.addIntegration({ providerId: "fcm" })
  fake.addSubscriber({ subscriberId: "ana" })
  const { id } = fake.addMessage({ subscriberId: "ana" })
  // An e-mail without an integration has a job without a provider.
  fake.addWorkflow({ identifier: "welcome", steps: [{ type: "email" }, { type: "push" }], variables: ["name"] })
  fake.trigger({ workflow: "welcome", to: "ana" })
  const send = async (method: string, target: string, body?: object): Promise<RecordedExchange> => {
    const headers = { authorization: `ApiKey ${fake.apiKey}`, "content-type": "application/json" }
    const sent = { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) }
    const response = await fake.fetch(fake.baseUrl + target, sent)
    return { method, target, hasKey: true, status: response.status, headers: {}, response: await response.json() }
  }
  const exchanges = [
    await send("PATCH", "/v1/subscribers/ana/credentials", { providerId: "fcm", credentials: { deviceTokens: ["a"] } }),
    await send("POST", "/v1/subscribers/ana/messages/mark-as", { messageId: id, markAs: "read" }),
    await send("GET", "/v1/notifications")
  ]
  return new Set(recordDrift(exchanges, expected.vendor).lines.keys())
}

/** The comparison of a recording with a preset. */
export interface RecordingDrift {
  /** One line for each difference. */
  readonly lines: ReadonlyArray<string>
  /** The numbers and names of everything that was compared, as text. */
  readonly compared: string
}

/**
 * Compares the switches that a recording shows with a preset, and the records of its responses with the API document.
 *
 * It rejects a recording that shows nothing to compare.
 */
export const driftFrom = async ({ exchanges }: Recording, expected: Expected): Promise<RecordingDrift> => {
  const values = { ...presetNamed(expected.preset ?? "document"), ...expected.switches }
  const shown = shownSwitches(exchanges)
  const ofSwitches = shown.flatMap(({ name, values: found }) =>
    [...found].flatMap(([value, [first]]) =>
      value === values[name]
        ? []
        : [`${name}: the service shows ${value} (exchange ${first}), the preset has ${values[name]}`]
    )
  )
  const { lines, responses } = recordDrift(exchanges, expected.vendor)
  if (responses === 0 && shown.length === 0) {
    throw new RangeError(
      `none of the ${exchanges.length} exchanges shows a switch or a record, so there is nothing to check`
    )
  }
  const known = await knownDrift(expected)
  const ofRecords = [...lines]
    .filter(([line]) => !known.has(line))
    .map(([line, first]) => `${line} (exchange ${first})`)
  return {
    lines: [...ofSwitches, ...ofRecords],
    compared: `responses with records: ${responses}; switches: ${shown.map(({ name }) => name).join(", ")}`
  }
}

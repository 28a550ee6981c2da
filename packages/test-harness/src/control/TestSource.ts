/**
 * The source of a test that sends a request of the journal again.
 */
import type { Environment } from "../environment/Environment.ts"
import { describe, type Fault } from "../faults/Fault.ts"
import type { JournalEntry } from "../journal/JournalEntry.ts"
import type { EnvironmentRecords } from "../state/EnvironmentRecords.ts"
import { isJsonObject } from "../state/JsonObject.ts"
import * as Switches from "../switches/Switches.ts"

const indented = (value: unknown, columns: number): string =>
  JSON.stringify(value, undefined, 2).replaceAll("\n", `\n${" ".repeat(columns)}`)

/** The switches that differ from those of a new fake. */
const changedSwitches = (switches: Switches.Switches): Partial<Switches.Switches> =>
  Object.fromEntries(
    Switches.switchNames.flatMap((name) =>
      switches[name] === Switches.document[name] ? [] : [[name, switches[name]] as const]
    )
  )

const namedIn = ({ body, query, subscriberId }: JournalEntry) => {
  const messageId = isJsonObject(body) ? body["messageId"] : undefined
  const listed = [...new URLSearchParams(query)].flatMap(([name, value]) =>
    name.startsWith("subscriberIds") ? [value] : []
  )
  return {
    subscribers: new Set([subscriberId, ...listed]),
    messages: new Set<unknown>(Array.isArray(messageId) ? messageId : [messageId])
  }
}

/** The records that the request names, as input: without what the fake adds. */
const recordsFor = (entry: JournalEntry, state: EnvironmentRecords): object => {
  const named = namedIn(entry)
  const all = {
    subscribers: state.subscribers
      .filter(({ subscriberId }) => named.subscribers.has(subscriberId))
      .map(({ email, firstName, subscriberId }) => ({ subscriberId, firstName, email })),
    integrations: state.integrations.map(({ active, identifier, providerId }) => ({ providerId, identifier, active })),
    messages: state.messages
      .filter(({ id }) => named.messages.has(id))
      .map(({ channel, id, subscriberId }) => ({ id, subscriberId, channel }))
  }
  return Object.fromEntries(Object.entries(all).filter(([, records]) => records.length > 0))
}

const faultLines = (entry: JournalEntry, armed: ReadonlyArray<Fault>): ReadonlyArray<string> =>
  entry.faults.map((description) => {
    const fault = armed.find((one) => describe(one) === description)
    if (fault === undefined) return `  // The request met the fault "${description}", which is no longer armed.`
    const { form, operation, point } = fault
    return `  fake.faults.add(${indented({ form, point, ...(operation === undefined ? {} : { operation }) }, 2)})`
  })

/** Valid values for the fields whose values the journal redacts. */
const placeholders: Readonly<Record<string, unknown>> = {
  deviceTokens: ["token-of-a-device"],
  webhookUrl: "https://webhook.example/test"
}

/** A body with placeholders for what the journal redacts. */
const withPlaceholders = (body: unknown): unknown =>
  JSON.parse(
    JSON.stringify(body, (name, value: unknown) => (value === "<redacted>" ? (placeholders[name] ?? value) : value))
  )

/** Headers that the transport adds. */
const ofTransport = /^(?:accept.*|connection|content-length|host|sec-.*|traceparent|user-agent)$/u

const requestLines = ({ body, headers, method, path, query }: JournalEntry): ReadonlyArray<string> => {
  const given = Object.entries(headers)
    .filter(([name]) => name !== "authorization" && !ofTransport.test(name))
    .map(([name, value]) => `      ${JSON.stringify(name)}: ${JSON.stringify(value)}`)
  const target = JSON.stringify(query === "" ? path : `${path}?${query}`)
  return [
    `  const sent = fake.fetch(fake.baseUrl + ${target}, {`,
    `    method: ${JSON.stringify(method)},`,
    "    headers: {",
    ["      authorization: `ApiKey ${fake.apiKey}`", ...given].join(",\n"),
    body === undefined ? "    }" : "    },",
    ...(body === undefined ? [] : [`    body: JSON.stringify(${indented(withPlaceholders(body), 4)})`]),
    "  })"
  ]
}

const outcomeOf = ({ outcome }: JournalEntry): { readonly title: string; readonly lines: ReadonlyArray<string> } => {
  if (!("status" in outcome)) return { title: "gets no response", lines: ["  await assert.rejects(sent)"] }
  const { status } = outcome
  return {
    title: `gets ${status}`,
    lines: ["  const { status } = await sent", `  assert.equal(status, ${status})`]
  }
}

/**
 * The source of a test for `node:test` that sends the request again, to a fake with the records and faults that it met.
 * Secrets, which the journal redacts, are replaced by placeholders.
 */
export const testSource = (environment: Environment, entry: JournalEntry): string => {
  const { lines, title } = outcomeOf(entry)
  const switches = changedSwitches(environment.switches)
  const options = { data: "empty", ...(Object.keys(switches).length === 0 ? {} : { switches }) }
  return [
    `import assert from "node:assert/strict"`,
    `import test from "node:test"`,
    `import { createFake } from "@signalbox/test-harness"`,
    "",
    `test(${JSON.stringify(`${entry.method} ${entry.path} ${title}`)}, async () => {`,
    `  const fake = createFake(${indented(options, 2)})`,
    `  fake.addAll(${indented(recordsFor(entry, environment.state()), 2)})`,
    ...faultLines(
      entry,
      environment.faults.armed().map(({ fault }) => fault)
    ),
    ...requestLines(entry),
    ...lines,
    "})",
    ""
  ].join("\n")
}

/**
 * The source of a test, or a script, that sends a request of the journal again: to a new environment with the records and
 * faults that the request met.
 */
import type { Environment } from "../environment/Environment.ts"
import { describe, type Fault } from "../faults/Fault.ts"
import type { JournalEntry } from "../journal/JournalEntry.ts"
import type { EnvironmentRecords } from "../state/EnvironmentRecords.ts"
import { sentBy } from "../journal/OpenEntry.ts"
import { isJsonObject } from "@signalbox/core/internal/reading/JsonObject"
import { neutral } from "@signalbox/core/Vendor"
import { readToken } from "../environment/ReproductionToken.ts"
import { isWhole } from "../verdicts/Conclusion.ts"

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
  const provider = isJsonObject(entry.body) ? entry.body["providerId"] : undefined
  const all = {
    subscribers: state.subscribers
      .filter(({ subscriberId }) => named.subscribers.has(subscriberId))
      .map(({ email, firstName, subscriberId }) => ({ subscriberId, firstName, email })),
    integrations: state.integrations
      .filter(({ providerId }) => entry.operation === "credentials.upsert" && providerId === provider)
      .map(({ active, identifier, providerId }) => ({ providerId, identifier, active })),
    messages: state.messages
      .filter(({ id }) => named.messages.has(id))
      .map(({ channel, id, subscriberId }) => ({ id, subscriberId, channel }))
  }
  return Object.fromEntries(Object.entries(all).filter(([, records]) => records.length > 0))
}

/** Valid values for the fields whose values the journal redacts. */
const placeholders: Readonly<Record<string, unknown>> = {
  deviceTokens: ["token-of-a-device"],
  webhookUrl: "https://webhook.example/test"
}

const withPlaceholders = (body: unknown): unknown =>
  JSON.parse(
    JSON.stringify(body, (name, value: unknown) =>
      [value].flat().includes("<redacted>") ? (placeholders[name] ?? value) : value
    )
  )

/** Headers that the transport adds. */
const ofTransport = /^(?:accept.*|connection|content-length|host|sec-.*|traceparent|user-agent)$/u

/** Everything that a source needs, whatever its language. */
interface Scene {
  /** The URL of the fake. */
  readonly url: string
  readonly title: string
  readonly options: object
  readonly records: object
  readonly faults: ReadonlyArray<object>
  /** Faults that the request met and that are no longer armed. */
  readonly lostFaults: ReadonlyArray<string>
  readonly method: string
  /** Path and query. */
  readonly target: string
  /** Without the key and the headers of the transport. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: unknown
  /** `undefined` for a request without a complete response. */
  readonly status: number | undefined
}

const faultsOf = (entry: JournalEntry, armed: ReadonlyArray<Fault>): Pick<Scene, "faults" | "lostFaults"> => {
  const found = entry.faults.map(
    (description) => [description, armed.find((one) => describe(one) === description)] as const
  )
  return {
    faults: found.flatMap(([, fault]) =>
      fault === undefined
        ? []
        : [
            {
              form: fault.form,
              point: fault.point,
              ...(fault.operation === undefined ? {} : { operation: fault.operation })
            }
          ]
    ),
    lostFaults: found.flatMap(([description, fault]) => (fault === undefined ? [description] : []))
  }
}

const sceneOf = (environment: Environment, entry: JournalEntry): Omit<Scene, "url"> => {
  const { body } = sentBy(entry)
  if (body._tag === "Omitted") {
    throw new RangeError(`request: the journal does not keep the body of request ${entry.number} (${body.reason})`)
  }
  const { preset, switches = {}, vendor } = readToken(environment.token())
  const status = isWhole(entry) && "status" in entry.outcome ? entry.outcome.status : undefined
  return {
    title: `${entry.method} ${entry.path} gets ${status ?? "no complete response"}`,
    options: {
      data: "empty",
      ...(vendor === neutral ? {} : { vendor }),
      ...(preset === undefined ? {} : { preset }),
      ...(Object.keys(switches).length === 0 ? {} : { switches })
    },
    records: recordsFor(entry, environment.state()),
    ...faultsOf(
      entry,
      environment.faults.armed().map(({ fault }) => fault)
    ),
    method: entry.method,
    target: entry.query === "" ? entry.path : `${entry.path}?${entry.query}`,
    headers: Object.fromEntries(
      Object.entries(entry.headers).filter(([name]) => name !== "authorization" && !ofTransport.test(name))
    ),
    body: entry.body === undefined ? undefined : withPlaceholders(entry.body),
    status
  }
}

/** The body for the wire: JSON, or a string that is no JSON. */
const textOf = (body: unknown): string => (typeof body === "string" ? body : JSON.stringify(body))

const indented = (value: unknown, columns: number): string =>
  JSON.stringify(value, undefined, 2).replaceAll("\n", `\n${" ".repeat(columns)}`)

const lostLines = (mark: string, { lostFaults }: Scene): ReadonlyArray<string> =>
  lostFaults.map((description) => `${mark} The request met the fault "${description}", which is no longer armed.`)

const typescript = (scene: Scene): ReadonlyArray<string> => {
  const { body, faults, headers, method, options, records, status, target, title } = scene
  const given = Object.entries(headers).map(
    ([name, value]) => `      ${JSON.stringify(name)}: ${JSON.stringify(value)}`
  )
  const sent = () => (typeof body === "string" ? JSON.stringify(body) : `JSON.stringify(${indented(body, 4)})`)
  return [
    `import assert from "node:assert/strict"`,
    `import test from "node:test"`,
    `import { createFake } from "@signalbox/test-harness"`,
    "",
    `test(${JSON.stringify(title)}, async () => {`,
    `  const fake = createFake(${indented(options, 2)})`,
    `  fake.addAll(${indented(records, 2)})`,
    ...lostLines("  //", scene),
    ...faults.map((fault) => `  fake.faults.add(${indented(fault, 2)})`),
    `  const sent = fake.fetch(fake.baseUrl + ${JSON.stringify(target)}, {`,
    `    method: ${JSON.stringify(method)},`,
    "    headers: {",
    ["      authorization: `ApiKey ${fake.apiKey}`", ...given].join(",\n"),
    body === undefined ? "    }" : "    },",
    ...(body === undefined ? [] : [`    body: ${sent()}`]),
    "  })",
    ...(status === undefined
      ? ["  await assert.rejects(sent.then((response) => response.text()))"]
      : ["  const { status } = await sent", `  assert.equal(status, ${status})`]),
    "})"
  ]
}

/** A JSON value as a string of Python: its escapes are those of JSON. */
const pythonJson = (value: unknown): string => `json.loads(${JSON.stringify(JSON.stringify(value))})`

const python = (scene: Scene): ReadonlyArray<string> => {
  const { body, faults, headers, method, options, records, status, target, title } = scene
  const name = title.toLowerCase().replace(/[^a-z0-9]+/gu, "_")
  const call = `send(${[method, target].map((word) => JSON.stringify(word)).join(", ")}, key, ${
    body === undefined ? "None" : JSON.stringify(textOf(body))
  }, ${pythonJson(headers)})`
  return [
    "import json",
    "import os",
    "from http.client import HTTPException",
    "from urllib.error import HTTPError",
    "from urllib.request import Request, urlopen",
    "",
    `URL = os.environ.get("FAKE_URL", "${scene.url}")`,
    "",
    "",
    "def send(method, path, key=None, body=None, headers={}):",
    `    """Returns the status and the body of a response; raises OSError or HTTPException if none is complete."""`,
    `    given = dict(headers) if key is None else {"authorization": f"ApiKey {key}", **headers}`,
    "    data = None if body is None else body.encode()",
    "    try:",
    "        with urlopen(Request(URL + path, data=data, headers=given, method=method), timeout=10) as response:",
    "            return response.status, response.read()",
    "    except HTTPError as error:",
    "        with error:",
    "            return error.code, error.read()",
    "",
    "",
    `def test_${name}():`,
    `    _, made = send("POST", "/_fake/environments", body=json.dumps(${pythonJson(options)}))`,
    `    key = json.loads(made)["apiKey"]`,
    `    send("POST", "/_fake/seed", key, json.dumps(${pythonJson(records)}))`,
    ...lostLines("    #", scene),
    ...faults.map((fault) => `    send("POST", "/_fake/faults", key, json.dumps(${pythonJson(fault)}))`),
    ...(status === undefined
      ? [
          "    try:",
          `        ${call}`,
          "    except (OSError, HTTPException):",
          "        return",
          `    raise AssertionError("the request got a complete response")`
        ]
      : [`    status, _ = ${call}`, `    assert status == ${status}`])
  ]
}

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

const curl = (scene: Scene): ReadonlyArray<string> => {
  const { body, faults, headers, method, options, records, target, title } = scene
  const control = (path: string, value: object) =>
    `curl -sS -o /dev/null -X POST "$FAKE_URL/_fake/${path}" -H "Authorization: ApiKey $KEY" -d ${quoted(JSON.stringify(value))}`
  const given = Object.entries(headers).map(([name, value]) => ` \\\n  -H ${quoted(`${name}: ${value}`)}`)
  return [
    `# ${title}`,
    `FAKE_URL="\${FAKE_URL:-${scene.url}}"`,
    `KEY=$(curl -sS -X POST "$FAKE_URL/_fake/environments" -d ${quoted(JSON.stringify(options))} | sed 's/.*"apiKey":"\\([^"]*\\)".*/\\1/')`,
    control("seed", records),
    ...lostLines("#", scene),
    ...faults.map((fault) => control("faults", fault)),
    [
      `curl -sS -i -X ${method} "$FAKE_URL"${quoted(target)} -H "Authorization: ApiKey $KEY"`,
      ...given,
      ...(body === undefined ? [] : [` \\\n  --data-binary ${quoted(textOf(body))}`])
    ].join("")
  ]
}

const writers = { typescript, python, curl }

export type SourceLanguage = keyof typeof writers

export const sourceLanguages = Object.keys(writers) as ReadonlyArray<SourceLanguage> // keys of a literal

/**
 * The source that sends a request again: for `node:test`, for pytest, or for a shell. Secrets, which the journal redacts,
 * are replaced by placeholders.
 *
 * @throws RangeError if the journal does not keep the body.
 */
export const testSource = (
  environment: Environment,
  entry: JournalEntry,
  language: SourceLanguage = "typescript",
  // The port of the guides.
  url = "http://127.0.0.1:4010"
): string => `${writers[language]({ ...sceneOf(environment, entry), url }).join("\n")}\n`

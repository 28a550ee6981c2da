import { CallObserver } from "@signalbox/core/CallInfo"
import * as Client from "@signalbox/core/Client"
import * as Connection from "@signalbox/core/Connection"
import { Events } from "@signalbox/core/Events"
import { Transport, type TransportResponse } from "@signalbox/core/Transport"
import { assert, describe, it } from "@effect/vitest"
import * as OwnKeys from "@signalbox/operator/connections/OwnKeys"
import { eventReport } from "@signalbox/operator/report/EventReport"
import { outlet } from "@signalbox/operator/outlet/Outlet"
import { problemReport } from "@signalbox/operator/report/ProblemReport"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { inspect } from "node:util"
import { makeRecorder } from "./Recorder.ts"
import { formatExchange } from "./Recording.ts"

/** The forms in which a service can write a key, each with the part of it that must not be shown. */
const encodings: Readonly<Record<string, (key: string) => readonly [written: string, hidden: string]>> = {
  plain: (key) => [key, key],
  "percent-encoded": (key) => [encodeURIComponent(key), encodeURIComponent(key)],
  "percent-encoded twice": (key) => [
    encodeURIComponent(encodeURIComponent(key)),
    encodeURIComponent(encodeURIComponent(key))
  ],
  "HTML-escaped": (key) => {
    const written = key.replace(/[^\w.~-]/gu, (character) => `&#${character.charCodeAt(0)};`)
    return [written, written]
  },
  "JSON in a string": (key) => [JSON.stringify(JSON.stringify({ key })), key],
  "escaped for JSON": (key) => {
    const written = Array.from(key, (character) => `\\u00${character.charCodeAt(0).toString(16)}`).join("")
    return [written, written]
  },
  Base64: (key) => [btoa(key), btoa(key).slice(0, Math.floor((key.length * 4) / 3))],
  "Base64 of user and key": (key) => [
    btoa(`user:${key}`),
    btoa(`user:${key}`).slice(7, Math.floor(((key.length + 5) * 4) / 3))
  ],
  "Base64 for URLs": (key) => {
    const written = btoa(`${key}:`).replaceAll("+", "-").replaceAll("/", "_")
    return [written, written.slice(0, Math.floor((key.length * 4) / 3))]
  }
}

/** An event with a string of the service in one place. */
const eventWith = (place: string, text: string) => {
  const at = (name: string, otherwise: string) => (place === name ? text : otherwise)
  return {
    _id: "65f0a41c",
    _environmentId: "e",
    _organizationId: "o",
    _subscriberId: "s",
    transactionId: at("transactionId", "txn_8f2c"),
    createdAt: "2026-11-21T12:40:30.112Z",
    subscriber: { subscriberId: "u_31870", _id: "s", firstName: at("name", "Ana") },
    template: { name: at("workflow", "comment-mention"), triggers: [] },
    payload: { [at("field name", "order")]: at("payload", "A-17") },
    ...(place === "unknown field" ? { debug: text } : {}),
    jobs: [
      {
        _id: "job",
        type: "chat",
        providerId: at("unknown value", "slack"),
        status: "failed",
        step: { _id: "", active: true, filters: [], _templateId: "" },
        executionDetails: [
          {
            _id: "detail",
            status: "Failed",
            detail: at("detail", "Webhook URL for the chat channel is missing"),
            isRetry: false,
            isTest: false,
            source: "Credentials",
            raw: at("provider text", "{}")
          }
        ]
      }
    ]
  }
}

const places = [
  "transactionId",
  "name",
  "workflow",
  "field name",
  "payload",
  "unknown field",
  "unknown value",
  "detail",
  "provider text",
  "header",
  "error message"
]

/**
 * The exports, reports and recordings that an app writes of one list call, and a debugger's view of its result and
 * facts.
 */
const outputsOf = Effect.fnUntraced(function* (key: string, response: TransportResponse) {
  const recorder = makeRecorder()
  const recorded: Array<string> = []
  recorder.start({
    startedAt: 0,
    keep: (exchange) => Effect.sync(() => void recorded.push(formatExchange(exchange))),
    hide: (value) => value
  })
  const client = Client.layerNoDeps.pipe(
    Layer.provide(recorder.layer),
    Layer.provide(OwnKeys.layer),
    Layer.provide(Layer.succeed(Transport, { send: () => Effect.succeed(response) })),
    Layer.provide(Connection.layer({ apiKey: key, baseUrl: "https://api.example.test" }))
  )
  const shown: Array<unknown> = []
  const inMemory: Array<string> = []
  const call = Events.use(({ list }) => list()).pipe(
    Effect.provideService(CallObserver, { onCall: (facts) => void inMemory.push(inspect(facts, { depth: 8 })) }),
    Effect.provide(client)
  )
  const result = yield* Effect.result(call)
  if (Result.isSuccess(result)) {
    const { data } = result.success
    shown.push(outlet("files").lines(data), ...data.map((event) => eventReport(event, "eu")))
    inMemory.push(inspect(data, { depth: 8 }))
  } else {
    const { message, stack } = result.failure
    shown.push(JSON.stringify(result.failure), inspect(result.failure, { depth: 8 }), stack)
    shown.push(problemReport({ summary: message, advice: "", fields: [], at: 0 }, "eu"))
  }
  return { written: [...recorded, ...shown].join("\n"), inMemory: inMemory.join("\n") }
})

const Key = Schema.String.check(Schema.isPattern(/^[A-Za-z]{4}[A-Za-z0-9+/=_-]{4,20}[0-9]{4}$/))

describe("an API key that the service repeats", () => {
  it.effect.prop(
    "is in no list, export, report or recording, in any encoding and any place",
    [Key, Schema.Literals(places), Schema.Literals(Object.keys(encodings))],
    ([key, place, encoding]) =>
      Effect.gen(function* () {
        OwnKeys.protectKey(Redacted.make(key))
        const [written, hidden] = encodings[encoding]?.(key) ?? ["", ""]
        const page = { data: [eventWith(place, written)], hasMore: false, page: 0, pageSize: 10 }
        const response =
          place === "error message"
            ? { status: 400, headers: {}, text: JSON.stringify({ message: `wrong ${written}` }) }
            : {
                status: 200,
                headers: place === "header" ? { "x-request-id": written } : {},
                text: JSON.stringify(page)
              }
        const outputs = yield* outputsOf(key, response)
        assert.isAbove(outputs.written.length, 300)
        assert.notInclude(outputs.written, hidden)
        assert.notInclude(outputs.inMemory, hidden)
      }),
    { arbitrary: { runs: 300, seed: 13 } }
  )
})

const secretPart = "q7Zr2LxV9bNc4TgHs8Wd"

/** Secrets of subscribers as services and providers write them. */
const subscriberSecrets: Readonly<Record<string, string>> = {
  slack: `https://hooks.slack.com/services/T024BE7LD/B01C5/${secretPart}`,
  discord: `https://discord.com/api/webhooks/110201543/${secretPart}`,
  "Google Chat": `https://chat.googleapis.com/v1/spaces/A/messages?key=public&token=${secretPart}`,
  Teams: `https://prod-01.westeurope.logic.azure.com/workflows/a/triggers/manual?sv=1.0&sig=${secretPart}`,
  "percent-encoded": encodeURIComponent(`https://hooks.slack.com/services/T024BE7LD/B01C5/${secretPart}`),
  "device tokens": JSON.stringify({ deviceTokens: [`${secretPart}:APA91`] }),
  "a webhook field": JSON.stringify({ webhookUrl: `https://chat.example.test/${secretPart}` })
}

describe("a subscriber's secret that the service repeats", () => {
  it.effect.each(Object.keys(subscriberSecrets).flatMap((form) => places.map((place) => [form, place] as const)))(
    "is in no export, report or recording: %s in %s",
    ([form, place]) =>
      Effect.gen(function* () {
        const written = subscriberSecrets[form] ?? ""
        const response =
          place === "error message"
            ? { status: 400, headers: {}, text: JSON.stringify({ message: `wrong ${written}` }) }
            : {
                status: 200,
                headers: place === "header" ? { "x-request-id": written } : {},
                text: JSON.stringify({ data: [eventWith(place, written)], hasMore: false, page: 0, pageSize: 10 })
              }
        const outputs = yield* outputsOf("own-key-4711/+", response)
        assert.notInclude(outputs.written, secretPart)
      })
  )
})

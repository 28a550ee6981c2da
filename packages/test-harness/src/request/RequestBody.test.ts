import { expect, it } from "vitest"
import { createFake } from "../index.ts"
import type { Switches } from "../switches/Switches.ts"

/** The device tokens that a request stores, or the status and the message with which it is rejected. */
const sent = async (switches: Partial<Switches>, headers: Record<string, string>, body: string) => {
  const fake = createFake({ data: "empty", switches })
  fake.addSubscriber({ subscriberId: "ana" })
  fake.addIntegration({ providerId: "fcm" })
  const response = await fake.fetch(`${fake.baseUrl}/v1/subscribers/ana/credentials`, {
    method: "PATCH",
    headers: { authorization: `ApiKey ${fake.apiKey}`, "content-type": "application/json", ...headers },
    body
  })
  if (response.status === 200)
    return fake.state().subscribers[0]?.channels.flatMap(({ credentials }) => credentials.deviceTokens)
  const { message } = (await response.json()) as { readonly message: string }
  return `${response.status} ${message}`
}

const tokens = `{"providerId":"fcm","credentials":{"deviceTokens":["one"]}}`
const form = "providerId=fcm&credentials[deviceTokens][]=one"
const stored = ["one"]
const strict = { "request.json": "objects-only" } as const
const forms = { "request.contentType": "json-or-form" } as const
const encodings = { "request.encoding": "500" } as const
const isForm = { "content-type": "Application/X-WWW-Form-URLEncoded; charset=utf-8" }
const isText = { "content-type": "text/plain" }
const failed = "500 Internal server error, contact support and provide them with the errorId"
const noObject = "400 body must be an object"
const invalid = "400 The body is not valid JSON"

it.each<readonly [string, Partial<Switches>, Record<string, string>, string, unknown]>([
  ["JSON", {}, {}, tokens, stored],
  ["a type in capitals, with parameters", {}, { "content-type": "Application/JSON ; charset=utf-8" }, tokens, stored],
  ["a type of JSON", {}, { "content-type": "application/merge-patch+json" }, tokens, stored],
  ["a type of JSON where only its own name counts", forms, { "content-type": "application/a+json" }, tokens, noObject],
  ["text", {}, isText, tokens, "415 the content type must be application/json, not text/plain"],
  ["no type", {}, { "content-type": "" }, tokens, "415 the content type must be application/json, not none"],
  ["text where any type is JSON", { "request.contentType": "accepted" }, isText, tokens, stored],
  ["text where it is ignored", { "request.contentType": "body-ignored" }, isText, tokens, noObject],
  ["a form where only JSON is read", { "request.contentType": "400" }, isForm, form, /^400 the content type must be /u],
  ["a form", forms, isForm, form, stored],
  ["a form of 1,000 parameters", forms, isForm, `${form}${"&a".repeat(998)}`, stored],
  ["a longer form", forms, isForm, "a&".repeat(1_000), "413 a form has at most 1000 parameters"],
  ["an encoding of the body", {}, { "content-encoding": "zstd" }, tokens, stored],
  ["an encoding where the service knows none", encodings, { "content-encoding": "zstd" }, tokens, failed],
  ["the encoding identity", encodings, { "content-encoding": "identity" }, tokens, stored],
  ["a charset", {}, { "content-type": "application/json; charset=latin1" }, tokens, stored],
  ["a charset that is no UTF", encodings, { "content-type": "application/json; charset=latin1" }, tokens, failed],
  ["UTF-8 in quotes", encodings, { "content-type": `application/json; charset="UTF-8"` }, tokens, stored],
  [
    "UTF-8 that is declared as UTF-16",
    encodings,
    { "content-type": "application/json;charset=utf-16" },
    tokens,
    invalid
  ],
  ["a byte order mark", {}, {}, `\u{FEFF}${tokens}`, invalid],
  ["a byte order mark where it is skipped", strict, {}, `\u{FEFF}${tokens}`, stored],
  ["no object", {}, {}, "5", noObject],
  ["no object where that is no JSON", strict, {}, " \n true", invalid],
  ["nothing", {}, {}, "", invalid],
  ["nothing where that is an empty object", strict, {}, "", /^400 .*providerId/u]
])("a body with %s", async (_what, switches, headers, body, result) => {
  const got = await sent(switches, headers, body)
  if (result instanceof RegExp) expect(got).toMatch(result)
  else expect(got).toEqual(result)
})

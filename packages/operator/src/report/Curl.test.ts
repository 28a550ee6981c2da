import { execFileSync } from "node:child_process"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { type Call, curl, shellWord, targetOf } from "./Curl.ts"

/** The words that a shell makes of a command line; `curl` itself is not run. */
const words = (line: string, environment: Readonly<Record<string, string>> = {}): ReadonlyArray<string> =>
  execFileSync("/bin/sh", ["-c", `curl() { printf '%s\\0' "$@"; }\n${line}`], {
    env: { ...environment },
    encoding: "utf8"
  })
    .split("\0")
    .slice(0, -1)

const Argument = Schema.String.check(Schema.isPattern(/^[^\0\p{Surrogate}]*$/u))

const Tricky = Schema.Array(
  Schema.Union([
    Schema.Literals(["'", '"', "$HOME", "`id`", "$(id)", "\\", "\n", " ", "!", "*", "~", ";", "&", "é", "漢"]),
    Argument
  ])
)

describe("shellWord", () => {
  it.effect.prop("is one word that the shell reads as the text", [Tricky], ([parts]) =>
    Effect.sync(() => {
      const text = parts.join("")
      assert.deepStrictEqual(words(`curl ${shellWord(text)}`), [text])
    })
  )

  it("drops what no argument can hold", () => {
    assert.strictEqual(shellWord("a\0b"), "'ab'")
  })
})

describe("curl", () => {
  it("is ready to run, with the key as a variable", () => {
    assert.strictEqual(
      curl({
        operation: "credentials.upsert",
        baseUrl: "https://api.example.com/v1/",
        params: { subscriberId: "o'neil/1" },
        payload: { providerId: "slack", credentials: { webhookUrl: "https://hooks.example.test/it's" } }
      }),
      [
        "curl --request PATCH 'https://api.example.com/v1/subscribers/o'\\''neil%2F1/credentials' \\",
        '  --header "Authorization: ApiKey $SIGNALBOX_API_KEY" \\',
        "  --header 'Content-Type: application/json' \\",
        `  --data-raw '{"providerId":"slack","credentials":{"webhookUrl":"https://hooks.example.test/it'\\''s"}}'`
      ].join("\n")
    )
  })

  it("has one path below the base URL, however that ends, and leaves an absent parameter empty", () => {
    const call: Omit<Call, "baseUrl"> = { operation: "events.list", query: { page: 2, limit: undefined } }
    for (const end of ["", "/", "//", "/v1", "/v1//"]) {
      assert.include(
        curl({ ...call, baseUrl: `https://api.example.com${end}` }),
        "'https://api.example.com/v1/notifications?page=2'"
      )
    }
    assert.strictEqual(targetOf({ operation: "credentials.upsert", baseUrl: "" }), "/v1/subscribers//credentials")
    assert.strictEqual(
      targetOf({ operation: "credentials.upsert", baseUrl: "", params: { subscriberId: "a\uD83D" } }),
      "/v1/subscribers/a%EF%BF%BD/credentials"
    )
  })

  it("is understood by the shell as it was meant", () => {
    const payload = { messageId: ["a'b", "$(id)"], markAs: "read" }
    const line = curl({
      operation: "messages.markAs",
      baseUrl: "http://localhost:1",
      params: { subscriberId: "u 1" },
      payload
    })
    const read = words(line, { SIGNALBOX_API_KEY: "the key" })
    assert.deepStrictEqual(read.slice(0, 5), [
      "--request",
      "POST",
      "http://localhost:1/v1/subscribers/u%201/messages/mark-as",
      "--header",
      "Authorization: ApiKey the key"
    ])
    assert.deepStrictEqual(JSON.parse(read.at(-1) ?? ""), payload)
  })

  it("repeats a parameter for each of its values and sends no body with a read", () => {
    const call: Call = {
      operation: "events.list",
      baseUrl: "https://api.example.com/gateway",
      query: { channels: ["email", "in_app"], after: "2026-11-20T12:00:00.000Z", limit: 50, search: undefined }
    }
    assert.strictEqual(
      targetOf(call),
      "/v1/notifications?channels=email&channels=in_app&after=2026-11-20T12%3A00%3A00.000Z&limit=50"
    )
    assert.strictEqual(
      curl(call),
      `curl --request GET 'https://api.example.com/gateway${targetOf(call)}' \\\n  --header "Authorization: ApiKey $SIGNALBOX_API_KEY"`
    )
    assert.strictEqual(targetOf({ ...call, query: {} }), "/v1/notifications")
  })

  it("uses the vendor's name where the service does", () => {
    const payload = { providerId: "service-slack", credentials: { webhookUrl: "https://service.example.test" } }
    const line = curl({
      operation: "credentials.upsert",
      baseUrl: "http://a.test",
      vendor: "acme",
      params: { subscriberId: "u" },
      payload
    })
    assert.include(line, '"providerId":"acme-slack"')
    assert.include(line, "https://service.example.test")
  })

  it.effect.prop("has a path for any subscriber", [Schema.String], ([subscriberId]) =>
    Effect.sync(() => {
      const call: Call = { operation: "credentials.upsert", baseUrl: "http://a.test", params: { subscriberId } }
      assert.match(targetOf(call), /^\/v1\/subscribers\/[\w.!~*'()%-]*\/credentials$/u)
    })
  )
})

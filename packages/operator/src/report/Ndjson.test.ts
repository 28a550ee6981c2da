import { redact } from "@signalbox/core/Redaction"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { ndjson } from "./Ndjson.ts"

describe("ndjson", () => {
  it("is one record a line, without secrets", () => {
    const records = [
      { text: "two\nlines\u2028three", credentials: { webhookUrl: "https://hooks.slack.test/T0/B0/x" } },
      { credentials: { deviceTokens: ["device-token-1"] } }
    ]
    const lines = ndjson(records).split("\n")
    assert.deepStrictEqual(lines.length, 3)
    assert.strictEqual(lines[2], "")
    assert.notInclude(ndjson(records), "hooks.slack.test")
    assert.notInclude(ndjson(records), "device-token-1")
    assert.deepInclude(JSON.parse(lines[0] ?? ""), { text: "two\nlines\u2028three" })
  })

  it("is empty for nothing", () => {
    assert.strictEqual(ndjson([]), "")
  })

  it.effect.prop(
    "reads back as the redacted records",
    [Schema.Array(Schema.Record(Schema.String, Schema.Union([Schema.String, Schema.Boolean, Schema.Int])))],
    ([records]) =>
      Effect.sync(() => {
        const read = ndjson(records)
          .split("\n")
          .slice(0, -1)
          .map((line): unknown => JSON.parse(line))
        assert.deepStrictEqual(read, JSON.parse(JSON.stringify(redact(records))))
      })
  )
})

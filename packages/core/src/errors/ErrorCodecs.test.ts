import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as ErrorCodecs from "./ErrorCodecs.ts"
import { commonReasons, isSignalboxError, writeReasons } from "./Errors.ts"

describe("the codec of errors", () => {
  it.effect.prop(
    "reads every error back with every fact",
    [Schema.toEncoded(ErrorCodecs.SignalboxError)],
    ([json]) =>
      Effect.gen(function* () {
        const error = yield* Schema.decodeEffect(ErrorCodecs.SignalboxError)(json)
        assert.isTrue(isSignalboxError(error))
        assert.strictEqual(error.constructor.name, json._tag)
        assert.deepStrictEqual(yield* Schema.encodeEffect(ErrorCodecs.SignalboxError)(error), json)
      }),
    { arbitrary: { runs: 300 } }
  )
  it("names its parts in a JSON schema, and has every fact of each reason", () => {
    const { definitions } = Schema.toJsonSchemaDocument(Schema.toEncoded(ErrorCodecs.SignalboxError))
    assert.containsAllKeys(definitions, ["Attempt", "FieldIssue"])
    const factsOf = (codec: Schema.Top) => {
      const { properties = {}, required = [] } = Schema.toJsonSchemaDocument(Schema.toEncoded(codec)).schema as {
        readonly properties?: object
        readonly required?: ReadonlyArray<string>
      }
      return Object.keys(properties).map((name) => (required.includes(name) ? name : `${name}?`))
    }
    const body = ["_tag", "message", "detail?", "fields?", "body?", "retryAfterMs?"]
    const special: Readonly<Record<string, ReadonlyArray<string>>> = {
      InvalidRequest: ["_tag", "message", "fields"],
      TransportFailure: ["_tag", "message", "delivery", "code?"],
      Timeout: ["_tag", "message", "delivery", "scope", "limitMs"],
      RateLimited: [...body, "status?"],
      UnexpectedStatus: [...body, "status?"],
      ServerFailure: [...body, "status", "replayed"],
      MalformedResponse: [...body, "status", "accepted?", "isCutOff?"]
    }
    for (const { name } of [...commonReasons, ...writeReasons])
      assert.deepStrictEqual(factsOf(Reflect.get(ErrorCodecs, name)), special[name] ?? [...body, "status"], name)
  })
})

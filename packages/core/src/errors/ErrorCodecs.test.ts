import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as ErrorCodecs from "./ErrorCodecs.ts"
import { isSignalboxError } from "./Errors.ts"

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
    const {
      InvalidRequest,
      MalformedResponse,
      RateLimited,
      ServerFailure,
      Timeout,
      TransportFailure,
      UnexpectedStatus
    } = ErrorCodecs
    assert.deepStrictEqual(factsOf(InvalidRequest), ["_tag", "message", "fields"])
    assert.deepStrictEqual(factsOf(TransportFailure), ["_tag", "message", "delivery", "code?"])
    assert.deepStrictEqual(factsOf(Timeout), ["_tag", "message", "delivery", "scope", "limitMs"])
    for (const codec of [RateLimited, UnexpectedStatus]) assert.deepStrictEqual(factsOf(codec), [...body, "status?"])
    for (const codec of [
      ErrorCodecs.Unauthorized,
      ErrorCodecs.PaymentRequired,
      ErrorCodecs.Forbidden,
      ErrorCodecs.NotFound,
      ErrorCodecs.PayloadTooLarge,
      ErrorCodecs.RequestInFlight,
      ErrorCodecs.IdempotencyKeyReused,
      ErrorCodecs.Conflict,
      ErrorCodecs.Rejected
    ])
      assert.deepStrictEqual(factsOf(codec), [...body, "status"])
    assert.deepStrictEqual(factsOf(ServerFailure), [...body, "status", "replayed"])
    assert.deepStrictEqual(factsOf(MalformedResponse), [...body, "status", "accepted?", "isCutOff?"])
  })
})
